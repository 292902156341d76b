"""The demo: every task in about a minute, on made-up data."""
