"""Units of text, their labels, and the tokens and sentences that they stand for."""
