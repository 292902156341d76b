"""Parsing by transitions."""
