"""Trials of settings."""
