"""Which settings are best."""
