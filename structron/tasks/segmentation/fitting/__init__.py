"""What a segmenter prepares before it learns."""
