"""Capitals at the beginning of sentences, which lemmas of most words have not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

LEAST, SHARE = 10, 0.9  # so many words of a tag, of which so many lose their capital


def first_capital(forms: Sequence[str]) -> int:
    """Return the number of the first word with a letter, from 1, if it is written like ``Dogs``; else 0.

    Examples
    --------
    >>> first_capital(['"', "Dogs", "Bark"]), first_capital(["dogs", "Bark"]), first_capital(["USA"])
    (2, 0, 0)
    """
    for number, form in enumerate(forms, 1):
        if any(map(str.isalpha, form)):
            return number if len(form) > 1 and form[0].isupper() and form[1:].islower() else 0
    return 0


def tags_without_capitals(
    sentences: Sequence[Sequence[tuple[str, ...]]], lemmas: Sequence[Sequence[str | None]]
) -> list[str]:
    """Return the tags of words whose lemmas have no capital though they begin a sentence with one."""
    seen, lost = Counter[str](), Counter[str]()
    for words, own in zip(sentences, lemmas):
        at = first_capital([word[0] for word in words])
        lemma = own[at - 1] if at else None
        if lemma is not None and len(words[at - 1]) > 1:
            seen[words[at - 1][1]] += 1
            lost[words[at - 1][1]] += lemma[:1].islower()
    return sorted(tag for tag, times in seen.items() if times >= LEAST and lost[tag] >= SHARE * times)
