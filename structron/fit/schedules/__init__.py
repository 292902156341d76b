"""Who decodes what, when."""
