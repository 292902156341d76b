"""The end of a word from which a transducer reads."""
