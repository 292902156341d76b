"""What raw text without labels teaches: its words, their clusters, and where they are kept."""
