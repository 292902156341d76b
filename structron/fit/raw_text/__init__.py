"""Raw text without labels: its words, their clusters, and the cache of these."""
