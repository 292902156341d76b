"""The definition of searches over forests."""
