"""Data as users give them: lists and texts, checked; examples; word lists; checksums."""
