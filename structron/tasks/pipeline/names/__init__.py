"""Names in texts: entities, the data that a stage for them learns from, and scores."""
