"""Adapters: structron inside other libraries, and models of other libraries inside structron.

One file for each library; it is imported by name, and only it needs that library. scikit-learn needs none:
the estimators have its shape themselves.
"""
