"""What a classifier makes of its data before it learns."""
