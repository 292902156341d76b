"""What a semantic parser prepares before it learns."""
