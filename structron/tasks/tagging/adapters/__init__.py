"""Taggers inside other libraries, and models of others as taggers; `structron.adapters` has their names."""
