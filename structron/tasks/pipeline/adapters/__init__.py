"""Pipelines inside other libraries; `structron.adapters` has their public names."""
