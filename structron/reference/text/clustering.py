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
        seen = Counter(word for sentence in sentences for word in sentence)
        kept = [word for word in seen if seen[word] >= least]
        kept.sort(key=lambda word: (-seen[word], word.encode()))
        number = {word: i for i, word in enumerate(kept)}
        edge, rare = len(kept), len(kept) + 1
        pairs: Counter[tuple[int, int]] = Counter()
        for sentence in filter(None, sentences):
            pairs.update(pairwise([edge, *(number.get(word, rare) for word in sentence), edge]))
        times = [seen[word] for word in kept]
        times += [sum(1 for s in sentences if s), sum(n for w, n in seen.items() if w not in number)]
        return cls(kept, times, pairs)


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
