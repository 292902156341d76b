"""Beams, trees, tables and plots."""
