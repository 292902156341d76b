"""Extraction of phrase pairs from linked sentences (Koehn, Och & Marcu 2003), slow and obvious.

It defines `core/tasks/translation/extraction.hpp` and `core/tasks/translation/phrase_counts.hpp`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

Words = tuple[int, ...]
Link = tuple[int, int]
Span = tuple[int, int, int, int]

MONOTONE, SWAP, DISCONTINUOUS = 0, 1, 2
SMOOTHING = 0.5
"""Added to the count of each orientation, as in Moses."""
MOST_LINKED = 15
"""The most words of a phrase, since a link inside it is one byte."""


def spans(sources: int, targets: int, links: Sequence[Link], longest: int) -> Iterator[Span]:
    """Yield all phrase pairs that agree with the links: first and last position of source and of target.

    No word of a phrase is linked to one outside of the other, and at least one link is inside. Target words
    without links beside the phrase may belong to it or not; source words without links are part of other
    spans.
    """
    linked = {j for _, j in links}
    for i1 in range(sources):
        for i2 in range(i1, min(i1 + longest, sources)):
            inside = [j for i, j in links if i1 <= i <= i2]
            if not inside:
                continue
            low, high = min(inside), max(inside)
            if any(low <= j <= high and not i1 <= i <= i2 for i, j in links):
                continue
            j1 = low
            while j1 >= 0 and high - j1 < longest and (j1 == low or j1 not in linked):
                j2 = high
                while j2 < targets and j2 - j1 < longest and (j2 == high or j2 not in linked):
                    yield i1, i2, j1, j2
                    j2 += 1
                j1 -= 1


def orientations(span: Span, sources: int, targets: int, links: set[Link]) -> tuple[int, int]:
    """Return how a phrase pair stands to the translations before and after it (Koehn et al. 2005).

    The words at its corners decide. There are additional links before the first words of both sentences and
    after the last.
    """
    i1, i2, j1, j2 = span

    def is_linked(i: int, j: int) -> bool:
        return (i, j) in links or (i, j) in ((-1, -1), (sources, targets))

    before = MONOTONE if is_linked(i1 - 1, j1 - 1) else SWAP if is_linked(i2 + 1, j1 - 1) else DISCONTINUOUS
    after = MONOTONE if is_linked(i2 + 1, j2 + 1) else SWAP if is_linked(i1 - 1, j2 + 1) else DISCONTINUOUS
    return before, after


@dataclass
class PhraseCounts:
    """The counts of a phrase pair."""

    count: int = 0
    orientation: list[int] = field(default_factory=lambda: [0] * 6)
    inner: Counter[tuple[Link, ...]] = field(default_factory=Counter)

    def links(self) -> tuple[Link, ...]:
        """Return the most frequent links inside; ties go to the first in sorted order."""
        return min(self.inner, key=lambda links: (-self.inner[links], links))


@dataclass(frozen=True)
class Option:
    """A row of the table: a target phrase for a source phrase, with natural logarithms in 32 bits."""

    source: Words
    target: Words
    scores: tuple[float, ...]
    reordering: tuple[float, ...]
    count: int
    source_count: int
    target_count: int
    links: tuple[Link, ...]


Sentences = Sequence[tuple[Sequence[int], Sequence[int], Sequence[Link]]]


def count_phrases(pairs: Sentences, longest: int) -> dict[tuple[Words, Words], PhraseCounts]:
    """Count every phrase pair, its orientations, and its links."""
    found: dict[tuple[Words, Words], PhraseCounts] = defaultdict(PhraseCounts)
    for source, target, links in pairs:
        for i1, i2, j1, j2 in spans(len(source), len(target), links, longest):
            counted = found[tuple(source[i1 : i2 + 1]), tuple(target[j1 : j2 + 1])]
            counted.count += 1
            before, after = orientations((i1, i2, j1, j2), len(source), len(target), set(links))
            counted.orientation[before] += 1
            counted.orientation[3 + after] += 1
            counted.inner[tuple(sorted((i - i1, j - j1) for i, j in links if i1 <= i <= i2))] += 1
    return found


class Lexical:
    """Relative frequencies of linked words; a word without links is linked to None."""

    def __init__(self, pairs: Sentences) -> None:
        self.joint: Counter[tuple[int | None, int | None]] = Counter()
        for source, target, links in pairs:
            self.joint.update((source[i], target[j]) for i, j in links)
            self.joint.update((x, None) for i, x in enumerate(source) if all(i != a for a, _ in links))
            self.joint.update((None, y) for j, y in enumerate(target) if all(j != b for _, b in links))
        self.totals: tuple[Counter[int | None], Counter[int | None]] = Counter(), Counter()
        for pair, count in self.joint.items():
            for side in (0, 1):
                self.totals[side][pair[side]] += count

    def weight(self, source: Words, target: Words, links: Sequence[Link], given: int) -> float:
        """Return the logarithm of a phrase's probability word by word, given one side (Koehn et al. 2003)."""
        total = 0.0
        for k, word in enumerate(target if given == 0 else source):
            others: list[int | None] = [
                source[i] if given == 0 else target[j] for i, j in links if (j if given == 0 else i) == k
            ]
            share = 0.0
            for other in others or [None]:
                pair = (other, word) if given == 0 else (word, other)
                share += self.joint[pair] / self.totals[given][other]
            total += math.log(share / (len(others) or 1))
        return total


def phrase_table(pairs: Sentences, longest: int, least: int, most: int) -> list[Option]:
    """Build the table, sorted by source phrase, with the best options of each first.

    Parameters
    ----------
    longest
        The most words of a phrase.
    least
        Drop phrase pairs seen fewer times, except for those of one word on each side.
    most
        The most options of a source phrase: the most frequent; ties go to the higher lexical weight, then
        to the first in the order of their words.
    """
    counts, lexical = count_phrases(pairs, longest), Lexical(pairs)
    by_source: Counter[Words] = Counter()
    by_target: Counter[Words] = Counter()
    for (source, target), counted in counts.items():
        by_source[source] += counted.count
        by_target[target] += counted.count
    options: dict[Words, list[Option]] = defaultdict(list)
    for (source, target), counted in counts.items():
        if counted.count < least and not len(source) == len(target) == 1:
            continue
        links = counted.links()
        scores = (
            math.log(counted.count / by_source[source]),
            lexical.weight(source, target, links, 0),
            math.log(counted.count / by_target[target]),
            lexical.weight(source, target, links, 1),
        )
        lay = [math.log((c + SMOOTHING) / (counted.count + 3 * SMOOTHING)) for c in counted.orientation]
        rounded = tuple(map(_rounded, scores)), tuple(map(_rounded, lay))
        totals = counted.count, by_source[source], by_target[target]
        options[source].append(Option(source, target, *rounded, *totals, links))
    return [
        option
        for source in sorted(options)
        for option in sorted(options[source], key=lambda o: (-o.count, -o.scores[1], o.target))[:most]
    ]


def _rounded(value: float) -> float:
    return float(np.float32(value))
