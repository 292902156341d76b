"""Options, progress, warnings and signals."""
