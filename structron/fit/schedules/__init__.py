"""Schedules: which thread or machine decodes which examples, and when."""
