"""Phrase-based translation: its search space, its gold, and the task."""
