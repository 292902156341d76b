"""The command that corrects a model, and what it prints."""
