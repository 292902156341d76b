"""Unseen words that differ from known ones by an ending.

The vocabulary itself shows which endings alternate: those of many pairs of words that are otherwise equal. No
knowledge of a language is needed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations

STEM = 4  # letters that both words begin with, at least
ENDING = 2  # letters of an ending, at most
SHARE = 0.002  # of all words: the least number of pairs in which two endings alternate


class WordForms:
    """Known forms of words.

    Parameters
    ----------
    counts
        How often each word was seen.

    Examples
    --------
    >>> counts = {stem + ending: 1 for stem in ("klein", "kalt", "lang") for ending in ("e", "en")}
    >>> forms = WordForms(counts | {"blaue": 1, "group": 5})
    >>> [forms.nearest(word) for word in ("blauen", "groups", "kalte")]
    ['blaue', None, 'kalte']
    """

    def __init__(self, counts: Mapping[str, int]) -> None:
        self._counts = counts
        self._endings: dict[str, list[str]] = defaultdict(list)  # by stem
        for word in counts:
            for stem, ending in _cuts(word):
                self._endings[stem].append(ending)
        pairs: Counter[tuple[str, str]] = Counter()
        for endings in self._endings.values():
            for one, other in combinations(sorted(endings), 2):
                if one[:1] != other[:1]:  # else the stem is longer
                    pairs[one, other] += 1
        least = max(2.0, SHARE * len(counts))
        self._pairs = {pair: count for pair, count in pairs.items() if count >= least}

    def nearest(self, word: str) -> str | None:
        """Return the word itself if it is known, else its most likely known form, or None."""
        if word in self._counts:
            return word
        best = None
        for stem, ending in _cuts(word):
            for other in self._endings.get(stem, ()):
                often = self._pairs.get((min(ending, other), max(ending, other)), 0)
                rank = often, self._counts[stem + other], stem + other
                if often and (best is None or rank > best):
                    best = rank
        return None if best is None else best[2]


def _cuts(word: str) -> Iterable[tuple[str, str]]:
    """Yield the ways to split a word into stem and ending."""
    if word.isalpha():
        for size in range(ENDING + 1):
            if len(word) - size >= STEM:
                yield word[: len(word) - size], word[len(word) - size :]
