"""The preparation of a translator before training."""
