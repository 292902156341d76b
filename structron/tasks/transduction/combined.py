"""A second opinion: a transducer that reads words in the opposite direction, asked where the first is unsure.

The first finds a few outputs. Where the best of them is not far ahead, the expert searches, too, from the
other end of the word, and the weighted mean of both scores says which of the first one's outputs is the best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from structron import _core
from structron.search import Search
from structron.tasks.experts import Expert, Part, parse_parts
from structron.tasks.task import Frozen

OPPOSITE = "opposite"
WEIGHTS = {OPPOSITE: 1.0}
# On the dev parts of SIGMORPHON 2020 more candidates changed nothing, and neither did asking the expert about
# every word; with two candidates, or only where the best is less than 20 ahead, a tenth of a point is lost.
CANDIDATES = 4
UNSURE = 40.0

Scored = list[tuple[list[str], float]]


def parse_combination(text: object) -> tuple[Part, ...]:
    """Read ``none``, ``opposite`` or ``opposite:0.5``.

    >>> parse_combination("opposite")
    (Part(name='opposite', weight=1.0),)
    """
    return parse_parts(text, WEIGHTS, "opposite, with a weight as in opposite:0.5")


class OppositeExpert(Expert[Any]):
    """A finished transducer that reads words from the other end."""

    @classmethod
    def fits(cls, name: str, search: Search, task: Mapping[str, Any]) -> bool:
        """There is one, and it has a search of its own."""
        return name == OPPOSITE and search.kind == "beam"


class CombinedTransducer:
    """A predictor that asks an expert where it is unsure.

    Parameters
    ----------
    own
        The engine that finds the candidates.
    expert
        The engine of the other.
    weight
        What the expert's scores count, where its own count 1.
    search
        How the expert searches.
    """

    def __init__(self, own: Frozen, expert: Frozen, weight: float, search: _core.Search) -> None:
        self._own, self._expert, self._weight, self._search = own, expert, weight, search

    @property
    def decode_seconds(self) -> float:
        """CPU time spent searching; comparing is not counted."""
        return self._own.decode_seconds + self._expert.decode_seconds

    def predict(self, xs: Sequence[Any], search: _core.Search, threads: int = 1) -> list[list[str]]:
        """The best output of each source."""
        return [best[0][0] for best in self.kbest(xs, 1, search, threads)]

    def kbest(self, xs: Sequence[Any], k: int, search: _core.Search, threads: int = 1) -> list[Scored]:
        """The best candidates of each source with their scores, means where the expert was asked."""
        found: list[Scored] = self._own.kbest(xs, max(k, CANDIDATES), search, threads)
        unsure = [i for i, best in enumerate(found) if len(best) > 1 and best[0][1] - best[1][1] < UNSURE]
        asked = [xs[i] for i in unsure]
        opinions = self._expert.kbest(asked, max(k, CANDIDATES), self._search, threads)
        for i, opinion in zip(unsure, opinions):
            found[i] = self._ranked(found[i], opinion)
        return found if k >= CANDIDATES else [best[:k] for best in found]

    def _ranked(self, candidates: Scored, opinion: Scored) -> Scored:
        """The candidates by the mean of both scores; of equal ones the first stays first."""
        known = {tuple(output): score for output, score in opinion}
        worst = opinion[-1][1]  # what the expert did not find is no better than the last that it found
        whole = 1 + self._weight
        means = [
            (output, (score + self._weight * known.get(tuple(output), worst)) / whole)
            for output, score in candidates
        ]
        return sorted(means, key=lambda each: -each[1])

    def trace(self, x: Any, gold: Any, search: _core.Search) -> dict[str, Any]:
        """Its own beams."""
        return self._own.trace(x, gold, search)
