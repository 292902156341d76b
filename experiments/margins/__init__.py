"""Averaging and the margin, measured on short sentences that every learner separates."""
