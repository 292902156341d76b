"""Vowels, found from the words alone (Sukhotin 1962).

Vowels and consonants alternate: the symbol that most often stands beside others is a vowel, and the
neighbours of vowels are less likely to be vowels. The algorithm is exact and has no settings. If symbols are
syllables, as in kana, the two classes mean less but are still useful as classes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Vowels(NamedTuple):
    """The vowels of sources and of targets, each sorted."""

    source: tuple[str, ...] = ()
    target: tuple[str, ...] = ()


NO_VOWELS = Vowels()


def find_vowels(words: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the vowels among the symbols of these words, sorted.

    >>> find_vowels(["banana", "tomato", "potato", "melon"])
    ('a', 'e', 'o')
    """
    beside: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for word in words:
        for first, second in pairwise(word):
            if first != second:
                beside[first][second] += 1
                beside[second][first] += 1
    left = {symbol: others.total() for symbol, others in sorted(beside.items())}
    vowels = []
    while left:
        found = max(left, key=left.__getitem__)  # ties go to the first in order
        if left.pop(found) <= 0:
            break
        vowels.append(found)
        for symbol in left:
            left[symbol] -= 2 * beside[found][symbol]
    return tuple(sorted(vowels))
