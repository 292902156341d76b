"""The definition of learning from text without labels."""
