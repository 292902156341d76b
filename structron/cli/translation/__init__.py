"""Translation on the command line."""
