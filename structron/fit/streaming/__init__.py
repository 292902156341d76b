"""Training from files that do not fit in memory."""
