"""Training of a pipeline: its stages, their treebank, and what is kept when it is interrupted."""
