"""Transducers that give a second opinion."""
