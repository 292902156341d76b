"""The preparation of a parser before training."""
