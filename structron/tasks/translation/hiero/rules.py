"""Rules with gaps from linked sentences (Chiang 2007, section 3), slow and obvious.

A rule is a phrase pair in which up to two smaller pairs are replaced by gaps. Gaps are numbered in the order
of the source. This defines `core/tasks/translation/hiero/rule_extraction.hpp` and
`core/tasks/translation/hiero/rule_counts.hpp`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from structron.tasks.translation.phrases.extraction import Lexical, Link, Sentences, Span, spans
from structron.tasks.translation.phrases.leave_one_out import LEAST

Symbols = tuple[int, ...]
"""Numbers of words, and of gaps."""

GAPS = (1, 2)
"""The numbers of the gaps: those of ``<s>`` and ``</s>``, which are words of no sentence."""
MOST_WORDS = 15
"""Words of a phrase that a rule is made from, at most: a link inside is one byte."""


@dataclass(frozen=True)
class Limits:
    """The limits of rules.

    Parameters
    ----------
    words
        The most words of a phrase from which a rule is made, on both sides.
    symbols
        The most words and gaps of the source side.
    """

    words: int = 10
    symbols: int = 5


USUAL = Limits()
"""The limits of Chiang (2007)."""


@dataclass(frozen=True)
class Rule:
    """A rule as it occurs in a pair of sentences; links are places of symbols on both sides."""

    source: Symbols
    target: Symbols
    links: tuple[Link, ...]


def gap_choices(phrase: Span, tight: Sequence[Span]) -> Iterator[tuple[Span, ...]]:
    """Yield the ways to put gaps into a phrase: none, one, or two that do not touch in the source."""
    yield ()
    inner = [g for g in tight if phrase[0] <= g[0] and g[1] <= phrase[1] and g != phrase]
    for g in inner:
        yield (g,)
    for g in inner:
        for h in inner:
            apart_in_target = g[3] < h[2] or h[3] < g[2]
            if h[0] > g[1] + 1 and apart_in_target:
                yield g, h


def rules(
    source: Sequence[int], target: Sequence[int], links: Sequence[Link], limits: Limits
) -> Iterator[Rule]:
    """Yield all rules of a pair of sentences.

    Rules without gaps are phrase pairs. Those with gaps come from tight pairs, whose edge words are linked,
    and their gaps are tight, too; words without links would multiply them. A rule keeps a pair of linked
    words.
    """
    linked = {i for i, _ in links}, {j for _, j in links}
    every = list(spans(len(source), len(target), links, limits.words))
    tight = [s for s in every if {s[0], s[1]} <= linked[0] and {s[2], s[3]} <= linked[1]]
    for phrase in every:
        for gaps in gap_choices(phrase, tight) if phrase in tight else ((),):
            sides = []
            for side, words in ((0, source), (1, target)):
                cut = [(gap[2 * side], gap[2 * side + 1]) for gap in gaps]
                sides.append(_side(words, phrase[2 * side], phrase[2 * side + 1], cut))
            (left, places), (right, others) = sides
            kept = [(places[i], others[j]) for i, j in links if i in places and j in others]
            if len(left) <= limits.symbols and kept:
                yield Rule(left, right, tuple(sorted(kept)))


def _side(
    words: Sequence[int], first: int, last: int, cut: Sequence[tuple[int, int]]
) -> tuple[Symbols, dict[int, int]]:
    """Return the symbols of one side, and the place of each remaining word among them."""
    symbols: list[int] = []
    places: dict[int, int] = {}
    for i in range(first, last + 1):
        gap = next((g for g, (begin, end) in enumerate(cut) if begin <= i <= end), None)
        if gap is None:
            places[i] = len(symbols)
            symbols.append(words[i])
        elif i == cut[gap][0]:
            symbols.append(GAPS[gap])
    return tuple(symbols), places


@dataclass(frozen=True)
class CountedRule:
    """A row of the table; logarithms are natural, in 32 bits."""

    source: Symbols
    target: Symbols
    scores: tuple[float, ...]
    count: int
    source_count: int
    target_count: int
    links: tuple[Link, ...]


def counted(pair: tuple[Sequence[int], Sequence[int], Sequence[Link]], limits: Limits) -> set[Rule]:
    """Return the rules of a pair of sentences, each once.

    With gaps a pair has most of its rules several times, with more or less in the gaps. A rule should count
    as seen twice only if two pairs have it.
    """
    return set(rules(*pair, limits))


def is_of_words(source: Symbols, target: Symbols) -> bool:
    """Return True if it translates one word by one word; such rules are never dropped."""
    return len(source) == len(target) == 1


def rule_table(pairs: Sentences, limits: Limits, least: int, most: int) -> list[CountedRule]:
    """Build the table, sorted by source, the best options first; see `extraction.phrase_table`."""
    inner: dict[tuple[Symbols, Symbols], Counter[tuple[Link, ...]]] = defaultdict(Counter)
    by_source: Counter[Symbols] = Counter()
    by_target: Counter[Symbols] = Counter()
    counts: Counter[tuple[Symbols, Symbols]] = Counter()
    for pair in pairs:
        found = counted(pair, limits)
        for rule in found:
            inner[rule.source, rule.target][rule.links] += 1
        for source, target in {(rule.source, rule.target) for rule in found}:
            counts[source, target] += 1
            by_source[source] += 1
            by_target[target] += 1
    lexical = Lexical(pairs)
    options: dict[Symbols, list[CountedRule]] = defaultdict(list)
    for (source, target), seen in inner.items():
        count = counts[source, target]
        if count < least and not is_of_words(source, target):
            continue
        links = min(seen, key=lambda each: (-seen[each], each))
        scores = (
            math.log(count / by_source[source]),
            _weight(lexical, source, target, links, 0),
            math.log(count / by_target[target]),
            _weight(lexical, source, target, links, 1),
        )
        rounded = tuple(float(np.float32(score)) for score in scores)
        totals = count, by_source[source], by_target[target]
        options[source].append(CountedRule(source, target, rounded, *totals, links))
    return [
        option
        for source in sorted(options)
        for option in sorted(options[source], key=lambda o: (-o.count, -o.scores[1], o.target))[:most]
    ]


def _weight(lexical: Lexical, source: Symbols, target: Symbols, links: Sequence[Link], given: int) -> float:
    """Return the lexical weight of the words; gaps have none."""
    places = [[k for k, symbol in enumerate(side) if symbol not in GAPS] for side in (source, target)]
    words = tuple(source[k] for k in places[0]), tuple(target[k] for k in places[1])
    moved = [(places[0].index(i), places[1].index(j)) for i, j in links]
    return lexical.weight(*words, moved, given)


@dataclass(frozen=True)
class AdjustedRule:
    """The remaining count of a rule without a pair of sentences, and two logarithms from it."""

    count: int
    target_given_source: float
    source_given_target: float


class LeaveOneOut:
    """A table without the counts of some pairs of sentences (Wuebker, Mauser & Ney 2010).

    Parameters
    ----------
    pairs
        An example's source with each of its references, and their links.
    """

    def __init__(self, pairs: Sentences, limits: Limits) -> None:
        self._pairs: Counter[tuple[Symbols, Symbols]] = Counter()
        self._sources: Counter[Symbols] = Counter()
        self._targets: Counter[Symbols] = Counter()
        for pair in pairs:
            for source, target in {(rule.source, rule.target) for rule in counted(pair, limits)}:
                self._pairs[source, target] += 1
                self._sources[source] += 1
                self._targets[target] += 1

    def left(self, rule: CountedRule) -> AdjustedRule | None:
        """Return the remaining counts of a rule; None if nothing changes."""
        ours, theirs = self._sources[rule.source], self._targets[rule.target]
        if not ours and not theirs:
            return None
        count = max(rule.count - self._pairs[rule.source, rule.target], 0)
        kept = max(float(count), LEAST)
        forth = math.log(kept / max(float(rule.source_count - ours), kept))
        back = math.log(kept / max(float(rule.target_count - theirs), kept))
        return AdjustedRule(count, float(np.float32(forth)), float(np.float32(back)))
