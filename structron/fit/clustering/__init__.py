"""Clusters of words."""
