"""Brown clusters by definition: classes by exchange, then a tree of them by agglomeration.

Kneser & Ney (1993) exchange words between classes, Brown et al. (1992, section 3) join classes; what both
look at is the mutual information of the classes of neighbouring words. It is counted in whole numbers
(`information`), so that the engine, which keeps sums up to date instead of computing them anew, finds the
same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import floor, log2
from typing import Any

BATCH = 64  # words that look at the same classes before any of them moves
_SCALE = 1 << 20


def information(n: int) -> int:
    """Return n log2 n as a whole number."""
    return floor(n * log2(n) * _SCALE + 0.5) if n > 1 else 0


@dataclass(frozen=True)
class Bigrams:
    """The counts of pairs of successive words.

    Attributes
    ----------
    words
        The most frequent first, of equals by their bytes. Two numbers follow theirs: the edge of a
        sentence, and whatever is too rare.
    times
        How often each is there; of the edge, how many sentences there are.
    pairs
        How often one number stands before another.
    """

    words: list[str]
    times: list[int]
    pairs: Mapping[tuple[int, int], int]

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]], least: int) -> Bigrams:
        """Count, of words seen at least so often."""
        counts = Counts()
        for sentence in sentences:
            counts.add(sentence)
        return counts.give(least)


EDGE, RARE = "\n", "\r"  # no words


class Counts:
    """Words and their pairs as they are counted, with a bound on how many are remembered."""

    def __init__(self, most_pairs: int = 1 << 62, most_words: int = 1 << 62) -> None:
        self.most_pairs, self.most_words = most_pairs, most_words
        self.words: Counter[str] = Counter()
        self.pairs: Counter[tuple[str, str]] = Counter()
        self.sentences = self.lost = 0

    def add(self, sentence: Sequence[str]) -> None:
        """Count a sentence."""
        if sentence:
            self.words.update(sentence)
            self.pairs.update(pairwise([EDGE, *sentence, EDGE]))
            self.sentences += 1

    def settle(self) -> None:
        """Forget what was seen once, twice and so on, until at most half of the bound is left."""
        if len(self.words) > self.most_words:
            least = _floor(self.words, self.most_words)
            gone = {word for word, n in self.words.items() if n < least}
            self.lost += sum(self.words.pop(word) for word in gone)
            pairs, self.pairs = self.pairs, Counter()
            for pair, n in pairs.items():
                left, right = (RARE if word in gone else word for word in pair)
                self.pairs[left, right] += n
        if len(self.pairs) > self.most_pairs:
            least = _floor(self.pairs, self.most_pairs)
            self.pairs = Counter({pair: n for pair, n in self.pairs.items() if n >= least})

    def give(self, least: int) -> Bigrams:
        """Return the counts of words that are frequent enough."""
        kept = [word for word, n in self.words.items() if n >= least]
        kept.sort(key=lambda word: (-self.words[word], word.encode()))
        number = {word: i for i, word in enumerate(kept)} | {EDGE: len(kept)}
        pairs: Counter[tuple[int, int]] = Counter()
        for (left, right), n in self.pairs.items():
            pairs[number.get(left, len(kept) + 1), number.get(right, len(kept) + 1)] += n
        rare = self.lost + sum(n for word, n in self.words.items() if word not in number)
        return Bigrams(kept, [*(self.words[word] for word in kept), self.sentences, rare], pairs)


def _floor(times: Mapping[Any, int], most: int) -> int:
    """Return how often what stays must have been seen, for at most half of the bound to stay."""
    least = 0
    while sum(n >= least for n in times.values()) > most // 2:
        least += 1
    return least


def quality(bigrams: Bigrams, class_of: Sequence[int]) -> int:
    """Return the mutual information of neighbouring classes, up to terms that no exchange changes."""
    pairs: Counter[tuple[int, int]] = Counter()
    for (left, right), n in bigrams.pairs.items():
        pairs[class_of[left], class_of[right]] += n
    times: Counter[int] = Counter()
    for word, n in enumerate(bigrams.times):
        times[class_of[word]] += n
    return sum(map(information, pairs.values())) - 2 * sum(map(information, times.values()))


def start(bigrams: Bigrams, classes: int) -> list[int]:
    """Return the initial classes: frequent words are dealt out one by one."""
    size = len(bigrams.words)
    classes = min(classes, size)
    return [word % classes for word in range(size)] + [classes, classes + 1]


def exchange_once(bigrams: Bigrams, class_of: list[int]) -> int:
    """Let each word move to its best class; how many did.

    The words of a batch look at the same classes and then move one after the other, those that still gain
    by it.
    """
    size, moved = len(bigrams.words), 0
    for first in range(0, size, BATCH):
        batch = range(first, min(first + BATCH, size))
        wanted = [_best(bigrams, class_of, word) for word in batch]
        for word, to in zip(batch, wanted):
            there = [*class_of[:word], to, *class_of[word + 1 :]]
            if class_of.count(class_of[word]) > 1 and quality(bigrams, there) > quality(bigrams, class_of):
                class_of[word] = to
                moved += 1
    return moved


def _best(bigrams: Bigrams, class_of: list[int], word: int) -> int:
    """Return the best class of a word: of equals its own, then the first; a word alone in its class stays."""
    own = class_of[word]
    if class_of.count(own) == 1:
        return own
    found, most = own, quality(bigrams, class_of)
    for to in range(class_of[-2]):
        value = quality(bigrams, [*class_of[:word], to, *class_of[word + 1 :]])
        if value > most:
            found, most = to, value
    return found


def agglomerate(bigrams: Bigrams, class_of: Sequence[int]) -> list[tuple[int, int]]:
    """Merge two classes at a time, the second into the first, with the least loss until one is left.

    Ties go to the first pair.
    """
    merged, merges = list(class_of), []
    alive = list(range(class_of[-2]))
    while len(alive) > 1:
        joined = {(i, j): [i if c == j else c for c in merged] for i, j in combinations(alive, 2)}
        best = max(joined, key=lambda pair: (quality(bigrams, joined[pair]), -pair[0], -pair[1]))
        merged = joined[best]
        alive.remove(best[1])
        merges.append(best)
    return merges


def paths(merges: Sequence[tuple[int, int]], classes: int) -> list[str]:
    """Return the path from the root to each class: 0 for the survivor of a merge, 1 for the other."""
    found = {0: ""} if classes else {}
    for first, second in reversed(merges):
        found[first], found[second] = found[first] + "0", found[first] + "1"
    return [found[c] for c in range(classes)]
