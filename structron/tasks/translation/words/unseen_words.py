"""Source words that are in no phrase of a translator, and the warning about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

SHOWN = 5
LETTERS = 40  # the longest word that is shown in full


def count_unseen(sources: Iterable[Sequence[str]], known: frozenset[str]) -> Counter[str]:
    """Count the words of inputs that are in no phrase."""
    return Counter(word for words in sources for word in words if word not in known)


def unseen_words(unseen: Counter[str]) -> str | None:
    """Return the warning about words that a translator copies; None if there are none."""
    if not unseen:
        return None
    listed = ", ".join(f"{_short(word)!r} ({count:,})" for word, count in unseen.most_common(SHOWN))
    more = ", …" if len(unseen) > SHOWN else ""
    total = unseen.total()
    word, are = ("word", "is") if total == 1 else ("words", "are")
    return f"{total:,} {word} of the input {are} in no phrase of the model and copied: {listed}{more}"


def _short(word: str) -> str:
    return word if len(word) <= LETTERS else word[: LETTERS - 1] + "…"
