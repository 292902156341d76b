"""Running forms to get answers."""
