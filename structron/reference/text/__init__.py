"""The definition of what is learned from text without labels."""
