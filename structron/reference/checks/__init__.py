"""Checks of a user's own spaces and oracles."""
