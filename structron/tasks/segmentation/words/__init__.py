"""Segmentation by words."""
