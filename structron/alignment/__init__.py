"""Alignment: of symbols in pairs, and of words in parallel text."""
