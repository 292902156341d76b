"""Units of text and their labels."""
