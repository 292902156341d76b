"""Values in files: trees, terms, labels, answers."""
