"""Learning to search without violations: DAgger and SEARN; and over-generating inference."""
