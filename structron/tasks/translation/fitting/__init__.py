"""What a translator prepares before it learns."""
