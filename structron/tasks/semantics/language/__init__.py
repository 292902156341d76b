"""The language of meaning: grammars and gazetteers."""
