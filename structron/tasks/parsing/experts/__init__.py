"""Parsers that give a second opinion."""
