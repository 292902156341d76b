"""Semantic parsing of questions about geography."""
