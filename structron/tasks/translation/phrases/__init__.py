"""Phrase tables."""
