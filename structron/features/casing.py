"""Lower case for features; `core/text/unicode.hpp` has the same."""


def lower(word: str) -> str:
    """Convert to lower case, character by character: the length never changes."""
    if word.isascii():
        return word.lower()
    return "".join(small if len(small := c.lower()) == 1 else c for c in word)
