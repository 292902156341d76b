"""Corrections: the smallest change of a model after which some examples are right and others stay right."""
