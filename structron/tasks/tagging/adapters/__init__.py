"""Models of other libraries as taggers; `structron.adapters` has their public names."""
