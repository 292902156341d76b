"""What a parser prepares before it learns."""
