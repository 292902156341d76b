"""The tasks: a folder for each, with all that belongs to it; `structron.registry` finds them."""
