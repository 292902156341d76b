"""Training on other machines."""
