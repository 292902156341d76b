"""Matches: the rules of a table that apply to a sentence, and where, from which its forest is built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from structron.tasks.translation.hiero.rules import AdjustedRule

Side = tuple[str | int, ...]
"""Words, and gaps as 0 and 1."""
Place = tuple[int, int]
"""From where to where, the end not included."""


class Rule(NamedTuple):
    """A rule of the table.

    Attributes
    ----------
    scores
        Logarithms of the four translation probabilities.
    links
        Aligned places of symbols on both sides.
    is_copy
        True for a copied word, which the table does not translate.
    """

    source: Side
    target: Side
    scores: tuple[float, ...]
    links: tuple[tuple[int, int], ...] = ()
    is_copy: bool = False

    @property
    def gaps(self) -> list[int]:
        """Return its gaps in the order of the target."""
        return [symbol for symbol in self.target if isinstance(symbol, int)]

    @property
    def source_words(self) -> int:
        """Return the number of source words besides gaps."""
        return sum(isinstance(symbol, str) for symbol in self.source)

    @property
    def target_words(self) -> int:
        """Return the number of target words besides gaps."""
        return sum(isinstance(symbol, str) for symbol in self.target)


Table = Mapping[Side, Sequence[Rule]]
"""The rules of each source side; the sides are in the order of the engine's table."""
Adjustments = Mapping[tuple[Side, Side], AdjustedRule]


class Match(NamedTuple):
    """A match of a source side in a sentence: its number, its span, and the spans of its gaps."""

    pattern: int
    span: Place
    gaps: tuple[Place, ...]


def places(source: Side, words: Sequence[str], begin: int, limit: int) -> Iterator[tuple[int, list[Place]]]:
    """Yield all matches of a source side from `begin` on: the end, and the spans of its gaps."""

    def rest(k: int, at: int) -> Iterator[tuple[int, list[Place]]]:
        if at - begin > limit:
            return
        if k == len(source):
            yield at, []
        elif isinstance(source[k], str):
            if at < len(words) and words[at] == source[k]:
                yield from rest(k + 1, at + 1)
        else:
            for end in range(at + 1, len(words) + 1):
                for whole, found in rest(k + 1, end):
                    yield whole, [(at, end), *found]

    yield from rest(0, begin)


class SentenceRules:
    """The rules of a table that match one sentence.

    Attributes
    ----------
    patterns
        Source sides that match somewhere, in the table's order, then copied words: each a list of numbers of
        `options`.
    options
        Their rules, pattern by pattern.
    matches
        Sorted by pattern and gaps, for every span.
    """

    def __init__(
        self, table: Table, source: Sequence[str], limit: int, left: Adjustments | None = None, least: int = 1
    ) -> None:
        self.source = list(source)
        self.options: list[Rule] = []
        self.patterns: list[range] = []
        self.matches: dict[Place, list[Match]] = {}
        words = set[str]()
        for side, listed in table.items():
            found = [
                (begin, end, tuple(gaps))
                for begin in range(len(source))
                for end, gaps in places(side, source, begin, limit)
            ]
            every = (_without(rule, (left or {}).get((side, rule.target)), least) for rule in listed)
            rules = [rule for rule in every if rule is not None]
            if not found or not rules:
                continue
            words |= {symbol for symbol in side if len(side) == 1 and isinstance(symbol, str)}
            self._add(rules, found)
        for i, word in enumerate(source):
            if word not in words:
                self._add([Rule((word,), (word,), (0.0,) * 4, ((0, 0),), True)], [(i, i + 1, ())])

    def _add(self, rules: Sequence[Rule], found: Sequence[tuple[int, int, tuple[Place, ...]]]) -> None:
        pattern = len(self.patterns)
        self.patterns.append(range(len(self.options), len(self.options) + len(rules)))
        self.options += rules
        for begin, end, gaps in sorted(found):
            self.matches.setdefault((begin, end), []).append(Match(pattern, (begin, end), gaps))


def _without(rule: Rule, left: AdjustedRule | None, least: int) -> Rule | None:
    """Return a rule without a pair of sentences, or None if too little is left of it."""
    if left is None:
        return rule
    if left.count < least and not len(rule.source) == len(rule.target) == 1:
        return None
    _, lexical, _, inverse_lexical = rule.scores
    return rule._replace(
        scores=(left.target_given_source, lexical, left.source_given_target, inverse_lexical)
    )
