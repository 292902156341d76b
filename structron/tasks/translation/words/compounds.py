"""Splitting of compounds by the counts of their parts (Koehn & Knight 2003).

A rare word is split if its parts are more frequent than itself: the way with the highest geometric mean of
the parts' counts wins, including the unsplit word. Linking letters between two parts are dropped, and so are
hyphens.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

SHORTEST = 4  # letters of a part, at least
MOST = 4  # parts of a word, at most
SEEN = 2  # how often a part must be seen
FREQUENT = 10  # words this frequent have translations of their own, and stay whole
JOINTS = ("", "s", "es", "n", "en", "e")  # linking letters between two parts
# Data have compounds if this share of their long rare words can be split, and there are at least FEWEST of
# them. In 29,000 captions it is 33 % of the German, 14 % of the English and 2 % of the French ones.
SHARE, FEWEST = 0.2, 100


class Compounds:
    """A splitter of compounds.

    Parameters
    ----------
    counts
        How often each word was seen in the training data.

    Examples
    --------
    >>> compounds = Compounds({"regen": 9, "mantel": 7, "regenmantel": 1, "arbeit": 5, "zeit": 20})
    >>> [compounds.parts(word) for word in ("regenmantel", "arbeitszeit", "regen-zeit", "zeitung")]
    [('regen', 'mantel'), ('arbeit', 'zeit'), ('regen', 'zeit'), ('zeitung',)]
    """

    def __init__(self, counts: Mapping[str, int]) -> None:
        self.counts = Counter(counts)
        for word, count in counts.items():
            for piece in _pieces(word):
                self.counts[piece] += count

    def parts(self, word: str) -> tuple[str, ...]:
        """Return the parts of a word, split as far as possible; a word that is not a compound has one."""
        first = self._split(word)
        return (word,) if len(first) == 1 else tuple(p for part in first for p in self.parts(part))

    def _split(self, word: str) -> Sequence[str]:
        if self.counts[word] >= FREQUENT:
            return (word,)
        pieces = _pieces(word)
        if any(self.counts[piece] >= SEEN for piece in pieces):
            return pieces
        return self._best(word) if word.isalpha() and len(word) >= 2 * SHORTEST else (word,)

    def _best(self, word: str) -> Sequence[str]:
        """Return the split with the highest mean of logarithms; ties go to the fewest parts."""
        size = len(word)
        # For each number of parts, by their end: the sum of their logarithms, and the parts.
        ways: dict[int, tuple[float, tuple[str, ...]]] = {0: (0.0, ())}
        chosen: tuple[str, ...] = (word,)
        best = math.log(max(self.counts[word], 0.5))
        for number in range(1, MOST + 1):
            longer: dict[int, tuple[float, tuple[str, ...]]] = {}
            for begin, (total, parts) in ways.items():
                for end in range(begin + SHORTEST, size + 1):
                    for part in _candidates(word[begin:end], end == size):
                        count = self.counts[part]
                        if count < SEEN or part == word:
                            continue
                        worth = total + math.log(count)
                        if end not in longer or worth > longer[end][0]:
                            longer[end] = worth, (*parts, part)
            if size in longer and longer[size][0] / number > best:
                best, chosen = longer[size][0] / number, longer[size][1]
            ways = longer
        return chosen


def has_compounds(counts: Mapping[str, int]) -> bool:
    """Return True if many of the long rare words of a corpus can be split, as in German."""
    compounds = Compounds(counts)
    rare = [
        word
        for word, count in counts.items()
        if count < FREQUENT and len(word) >= 2 * SHORTEST and word.isalpha()
    ]
    return len(rare) >= FEWEST and sum(len(compounds.parts(word)) > 1 for word in rare) >= SHARE * len(rare)


def _pieces(word: str) -> list[str]:
    """Return the pieces between hyphens; none if there is no hyphen inside the word."""
    return [piece for piece in word.split("-") if piece] if "-" in word.strip("-") else []


def _candidates(text: str, is_last: bool) -> Iterable[str]:
    """Yield the forms of a part without linking letters."""
    for joint in JOINTS[:1] if is_last else JOINTS:
        if text.endswith(joint) and len(text) - len(joint) >= SHORTEST:
            yield text.removesuffix(joint)
