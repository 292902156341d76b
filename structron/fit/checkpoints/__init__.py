"""Training that can be killed and resumed."""
