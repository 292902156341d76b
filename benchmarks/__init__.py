"""Measurements of structron beside other systems; `make bench` runs them."""
