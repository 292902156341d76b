"""Alignment: pieces of pairs, and words of parallel text."""
