"""Second opinions: transducers that are asked, one after the other, where those before them are unsure.

The first finds a few outputs. Where the best of them is not far ahead, an expert searches, too, and the
weighted mean of the scores says which of the first one's outputs is the best; where that is not far ahead
either, the next expert is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from structron import _core
from structron.engine.experts import Expert, Part, parse_parts
from structron.errors import SettingError
from structron.search import Search

RICH, OPPOSITE = "rich", "opposite"
WEIGHTS = {RICH: 1.0, OPPOSITE: 1.0}
# Who can be asked, in this order, and each where the best is less than so much ahead. On the dev parts of
# SIGMORPHON 2020 asking `opposite` about every word changed nothing, and asking it only below 20 lost a tenth
# of a point (decision 41). How far down `rich` and then `opposite` are worth their time was found on held-out
# words of CMUdict (decisions 42 and 44).
UNSURE: dict[tuple[str, ...], tuple[float, ...]] = {
    (OPPOSITE,): (40.0,),
    (RICH,): (10.0,),
    (RICH, OPPOSITE): (10.0, 6.0),
}
# More candidates changed nothing; with two, a tenth of a point is lost.
CANDIDATES = 4

Scored = list[tuple[list[str], float]]


def parse_combination(text: object) -> tuple[Part, ...]:
    """Read ``none``, ``opposite``, ``rich+opposite`` or ``opposite:0.5``.

    >>> parse_combination("opposite")
    (Part(name='opposite', weight=1.0),)
    """
    parts = parse_parts(text, WEIGHTS, "opposite, rich or rich+opposite, with weights as in opposite:0.5")
    check_order(part.name for part in parts)
    return parts


def check_order(names: Iterable[str]) -> None:
    """Refuse experts that are asked in another order than they can be."""
    given = tuple(names)
    if given and given not in UNSURE:
        possible = ", ".join(map("+".join, UNSURE))
        raise SettingError(f"combine {'+'.join(given)} is not possible; use none, or one of {possible}")


class TransductionExpert(Expert[Any]):
    """A finished transducer that another one asks."""

    @classmethod
    def fits(cls, name: str, search: Search, task: Mapping[str, Any]) -> bool:
        """It is one of those that are known, and has a search of its own."""
        return name in WEIGHTS and search.kind == "beam"


class Member(NamedTuple):
    """One of those that are asked.

    Attributes
    ----------
    engine
        The engine's predictor.
    weight
        What its scores count, where those of the first count 1.
    search
        How it searches.
    unsure
        It is asked where the best output is less than this ahead.
    """

    engine: _core.FrozenTransducer
    weight: float
    search: _core.Search
    unsure: float


class CombinedTransducer:
    """A predictor that asks others where it is unsure.

    Parameters
    ----------
    own
        The engine that finds the candidates.
    experts
        In the order in which they are asked.
    """

    def __init__(self, own: _core.FrozenTransducer, experts: Sequence[Member]) -> None:
        self._own, self._experts = own, experts

    @property
    def decode_seconds(self) -> float:
        """CPU time spent searching; comparing is not counted."""
        return sum((each.engine.decode_seconds for each in self._experts), self._own.decode_seconds)

    def predict(self, xs: Sequence[Any], search: _core.Search, threads: int = 1) -> list[list[str]]:
        """The best output of each source."""
        # Where the first is sure, nothing but its best output is made.
        found = self._own.kbest(xs, CANDIDATES, search, threads, self._experts[0].unsure)
        return [best[0][0] for best in self._asked(xs, found, CANDIDATES, threads)]

    def kbest(self, xs: Sequence[Any], k: int, search: _core.Search, threads: int = 1) -> list[Scored]:
        """The best candidates of each source with their scores, means of all that were asked about it."""
        candidates = max(k, CANDIDATES)
        found = self._asked(xs, self._own.kbest(xs, candidates, search, threads), candidates, threads)
        return found if k >= CANDIDATES else [best[:k] for best in found]

    def _asked(self, xs: Sequence[Any], found: list[Scored], candidates: int, threads: int) -> list[Scored]:
        """What was found, in the order that it has when all were asked who are to be asked about it."""
        unsure: Iterable[int] = range(len(found))
        counted = 1.0
        for expert in self._experts:
            least = expert.unsure
            unsure = [i for i in unsure if len(found[i]) > 1 and found[i][0][1] - found[i][1][1] < least]
            opinions = expert.engine.kbest([xs[i] for i in unsure], candidates, expert.search, threads)
            for i, opinion in zip(unsure, opinions):
                found[i] = _ranked(found[i], counted, opinion, expert)
            counted += expert.weight
        return found

    def trace(self, x: Any, gold: Any, search: _core.Search) -> dict[str, Any]:
        """Its own beams."""
        return self._own.trace(x, gold, search)


def _ranked(candidates: Scored, counted: float, opinion: Scored, expert: Member) -> Scored:
    """The candidates by the mean of all scores; of equal ones the first stays first."""
    known = {tuple(output): score for output, score in opinion}
    # What the expert did not find is no better than the last that it found, and further behind than it looks.
    worst, within = opinion[-1][1], expert.search.within
    if math.isfinite(within):
        worst = min(worst, opinion[0][1] - within)
    whole = counted + expert.weight
    means = [
        (output, (counted * score + expert.weight * known.get(tuple(output), worst)) / whole)
        for output, score in candidates
    ]
    return sorted(means, key=lambda each: -each[1])
