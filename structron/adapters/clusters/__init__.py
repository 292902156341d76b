"""Adapters to clusters of machines: a model is loaded once by each worker, and columns travel as Arrow."""
