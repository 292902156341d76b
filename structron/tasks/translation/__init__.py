"""Translation: sentences of one language to sentences of another, learned from parallel text."""
