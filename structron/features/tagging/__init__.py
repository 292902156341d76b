"""Templates over words and previous tags."""
