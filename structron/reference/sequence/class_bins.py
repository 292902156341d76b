"""A beam whose rows are compared class by class: guess and gold over the same part of the input.

The items of a row need not be about the same. In translation they cover equally many source words, but not
the same ones: compared row by row, a gold item that translates hard words first is held against guesses that
translate easy ones first. A space that says which class a state is of (`bin_class`) can be compared apart:
every class of a row in which there is gold is a bin. The search is the same; only what updates see of it
is not. The order is partial: a bin comes after all bins of earlier rows.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structron.errors import TaskError
from structron.reference.checks.hooks import SPACE
from structron.reference.sequence.trace import Path, Row, Trace


class _Bin(NamedTuple):
    """The places of a class's items in a row, by score; of gold only the best."""

    step: int
    ranks: list[int]
    gold: int


class ClassBins:
    """The bins of a finished beam, class by class."""

    def __init__(self, trace: Trace) -> None:
        self.space, self._trace = trace.space, trace
        bin_class = SPACE.of(trace.space, "bin_class")
        if bin_class is None:
            raise TaskError(
                f"search: {type(trace.space).__name__} has no bin_class, so that all items of a row are "
                "compared; use a plain beam"
            )
        self.bins: list[_Bin] = []
        for step, (row, gold) in enumerate(zip(trace.beams, trace.gold_beams)):
            classes: dict[Hashable, list[int]] = {}
            for rank, item in enumerate(gold):
                classes.setdefault(bin_class(item.state), []).append(rank)
            for name, ranks in classes.items():
                own = [rank for rank, item in enumerate(row) if bin_class(item.state) == name]
                self.bins.append(_Bin(step, _by_score(row, own), _by_score(gold, ranks)[0]))

    @property
    def final(self) -> int:
        """Return the last bin."""
        return len(self.bins) - 1

    @property
    def best_score(self) -> NDArray[np.float64]:
        """Return the best score of each bin; NaN if no guess is of its class."""
        return np.array([self.best(i).score if b.ranks else np.nan for i, b in enumerate(self.bins)])

    @property
    def gold_score(self) -> NDArray[np.float64]:
        """Return the best gold score of each bin."""
        return np.array([self._trace.gold_beams[b.step][b.gold].score for b in self.bins])

    @property
    def gold_in_beam(self) -> NDArray[np.bool_]:
        """Return for each bin True if a gold item of its class is in the beam."""
        return np.array([any(self._row(b)[r].good for r in b.ranks) for b in self.bins], dtype=np.bool_)

    @property
    def best_is_gold(self) -> NDArray[np.bool_]:
        """Return for each bin True if its best item is gold."""
        return np.array([bool(b.ranks) and self._row(b)[b.ranks[0]].good for b in self.bins], dtype=np.bool_)

    @property
    def fallen(self) -> NDArray[np.bool_]:
        """Return for each bin True if gold of its class was pruned."""
        return ~self.gold_in_beam

    def span(self, step: int) -> tuple[int, int]:
        """Return the covered part of the input: paths to every bin begin at the start."""
        return (0, self.bins[step].step + 1)

    def best(self, step: int) -> Path:
        """Return the best path to a bin."""
        return self._trace.path(self.bins[step].step, self.bins[step].ranks[0])

    def gold(self, step: int) -> Path:
        """Return the best gold path to a bin."""
        return self._trace.gold_path(self.bins[step].step, self.bins[step].gold)

    def kbest(self, k: int, step: int | None = None) -> list[Path]:
        """Return the best paths to a bin that are in the beam."""
        found = self.bins[self.final if step is None else step]
        return [self._trace.path(found.step, rank) for rank in found.ranks[:k]]

    def _row(self, found: _Bin) -> Row:
        return self._trace.beams[found.step]


def _by_score(row: Row, ranks: list[int]) -> list[int]:
    """Sort by score, highest first; of equals the one that ranks first."""
    return sorted(ranks, key=lambda rank: -row[rank].score)
