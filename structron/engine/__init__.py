"""Between Python and the compiled engine: weights, traces and choices as the engine has them."""
