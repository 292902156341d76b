"""Templates over parser states."""
