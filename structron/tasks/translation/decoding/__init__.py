"""Phrase-based decoding."""
