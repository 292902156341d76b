"""Second opinions: transducers that are asked in turn while the best output is uncertain.

The first transducer finds a few outputs. If the best of them is not far ahead, an expert searches, too, and
the weighted mean of the scores decides which of the first transducer's outputs is the best. If that one is
not far ahead either, the next expert is asked.
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
# The possible experts in order, each with the lead of the best output below which it is asked. On the dev
# parts of SIGMORPHON 2020 asking `opposite` about every word changed nothing, and asking it only below 20
# lost a tenth of a point (decision 41). The limits for `rich` and then `opposite` come from held-out words of
# CMUdict (decisions 42 and 44).
UNSURE: dict[tuple[str, ...], tuple[float, ...]] = {
    (OPPOSITE,): (40.0,),
    (RICH,): (10.0,),
    (RICH, OPPOSITE): (10.0, 6.0),
}
# More candidates changed nothing; with two, a tenth of a point was lost.
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
    """Refuse experts in an order that is not possible."""
    given = tuple(names)
    if given and given not in UNSURE:
        possible = ", ".join(map("+".join, UNSURE))
        raise SettingError(f"combine {'+'.join(given)} is not possible; use none, or one of {possible}")


class TransductionExpert(Expert[Any]):
    """A finished transducer that another one asks."""

    @classmethod
    def fits(cls, name: str, search: Search, task: Mapping[str, Any]) -> bool:
        """Check that the expert is known and searches with a beam."""
        return name in WEIGHTS and search.kind == "beam"


class Member(NamedTuple):
    """A transducer that is asked.

    Attributes
    ----------
    engine
        The engine's predictor.
    weight
        The weight of its scores; those of the first count 1.
    search
        Its search.
    unsure
        It is asked if the lead of the best output is less than this.
    """

    engine: _core.TransductionPredictor
    weight: float
    search: _core.Search
    unsure: float


class CombinedTransducer:
    """A predictor that asks experts when it is uncertain.

    Parameters
    ----------
    own
        The engine that finds the candidates.
    experts
        The experts in the order in which they are asked.
    """

    def __init__(self, own: _core.TransductionPredictor, experts: Sequence[Member]) -> None:
        self._own, self._experts = own, experts

    @property
    def decode_seconds(self) -> float:
        """Return the CPU time spent searching, without the time for comparing."""
        return sum((each.engine.decode_seconds for each in self._experts), self._own.decode_seconds)

    def predict(self, xs: Sequence[Any], search: _core.Search, threads: int = 1) -> list[list[str]]:
        """Return the best output of each source."""
        # If the first is certain, only its best output is built.
        found = self._own.kbest(xs, CANDIDATES, search, threads, self._experts[0].unsure)
        return [best[0][0] for best in self._asked(xs, found, CANDIDATES, threads)]

    def kbest(self, xs: Sequence[Any], k: int, search: _core.Search, threads: int = 1) -> list[Scored]:
        """Return the best candidates of each source, scored by the mean over all transducers asked."""
        candidates = max(k, CANDIDATES)
        found = self._asked(xs, self._own.kbest(xs, candidates, search, threads), candidates, threads)
        return found if k >= CANDIDATES else [best[:k] for best in found]

    def _asked(self, xs: Sequence[Any], found: list[Scored], candidates: int, threads: int) -> list[Scored]:
        """Rank the candidates by the opinions of all experts that must be asked about them."""
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
        """Return the trace of its own search."""
        return self._own.trace(x, gold, search)


def _ranked(candidates: Scored, counted: float, opinion: Scored, expert: Member) -> Scored:
    """Sort the candidates by the mean of all scores; the sort is stable."""
    known = {tuple(output): score for output, score in opinion}
    # An output that the expert did not find is no better than its last one, and outside its search limit.
    worst, within = opinion[-1][1], expert.search.within
    if math.isfinite(within):
        worst = min(worst, opinion[0][1] - within)
    whole = counted + expert.weight
    means = [
        (output, (counted * score + expert.weight * known.get(tuple(output), worst)) / whole)
        for output, score in candidates
    ]
    return sorted(means, key=lambda each: -each[1])
