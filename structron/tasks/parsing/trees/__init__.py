"""Dependency trees: which are projective, and which predictors find them."""
