"""The demo: every task in about a minute, on data that are made up."""
