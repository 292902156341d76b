"""Knowledge of words: their vowels, unseen symbols, and similar known words."""
