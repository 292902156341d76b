"""Graph-based dependency parsing: trees as sums of parts."""
