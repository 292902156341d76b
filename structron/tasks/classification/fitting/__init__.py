"""The preparation of a classifier before training."""
