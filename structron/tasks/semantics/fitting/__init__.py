"""The preparation of a semantic parser before training."""
