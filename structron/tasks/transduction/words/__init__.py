"""What a transducer knows of words: their vowels, their symbols, and words like them."""
