"""The definition of searches over sequences."""
