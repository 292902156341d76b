"""The preparation of a segmenter before training."""
