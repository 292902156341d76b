"""Partly labelled data: what a share of the labels is worth."""
