"""What stands in files: trees, terms, labels, answers."""
