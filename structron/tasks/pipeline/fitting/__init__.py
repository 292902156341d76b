"""Training of a pipeline: its stages, the treebank they learn from, and what is kept when it is interrupted."""
