"""Words of source and target."""
