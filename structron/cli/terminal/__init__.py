"""Streams, signals, progress and options."""
