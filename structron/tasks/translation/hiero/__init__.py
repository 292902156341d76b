"""Hierarchical phrase-based translation (Chiang 2007): rules with gaps, searched over a forest."""
