"""The border between Python and the compiled engine: weights, traces and choices."""
