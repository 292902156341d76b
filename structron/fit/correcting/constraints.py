"""The active set: what search found wrong so far, as one quadratic programme.

`structron.reference.sequence.correction` is the definition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from structron import _core

SWEEPS = 10_000


class Difference(NamedTuple):
    """ΔΦ of gold and a wrong output, by keys and columns; coordinates may repeat."""

    keys: npt.NDArray[np.uint64]
    columns: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float32]

    def __bool__(self) -> bool:
        order = np.lexsort((self.columns, self.keys))
        keys, columns = self.keys[order], self.columns[order]
        is_first = np.ones(len(order), bool)
        is_first[1:] = (keys[1:] != keys[:-1]) | (columns[1:] != columns[:-1])
        starts = np.flatnonzero(is_first)
        return bool(len(starts)) and bool(
            np.add.reduceat(self.values[order].astype(np.float64), starts).any()
        )


class Cells(NamedTuple):
    """A change of the weights, sorted by key and column, in double precision."""

    keys: npt.NDArray[np.uint64]
    columns: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float64]

    def dot(self, delta: Difference) -> float:
        """Return the inner product with a difference."""
        first, last = (np.searchsorted(self.keys, delta.keys, side) for side in ("left", "right"))
        is_there, at = cells_at(self.columns, first, last, delta.columns)
        products = self.values[at] * delta.values[is_there].astype(np.float64)
        # One after the other, whatever the version of NumPy: corrections have the same bytes everywhere.
        return float(np.cumsum(products)[-1]) if len(products) else 0.0


def cells_at(
    columns: npt.NDArray[np.uint32],
    begin: npt.NDArray[np.intp],
    end: npt.NDArray[np.intp],
    wanted: npt.NDArray[np.uint32],
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.intp]]:
    """Find columns, each in a row of its own: sorted `columns` from `begin` to `end`.

    Returns
    -------
    Which of them are there, and the places of those that are.
    """
    low, high = begin.copy(), end.copy()
    while (is_open := low < high).any():
        middle = (low + high) // 2
        is_before = np.zeros(len(low), bool)
        is_before[is_open] = columns[middle[is_open]] < wanted[is_open]
        low = np.where(is_before, middle + 1, low)
        high = np.where(is_open & ~is_before, middle, high)
    is_there = low < end
    is_there[is_there] = columns[low[is_there]] == wanted[is_there]
    return is_there, low[is_there]


class Costs(NamedTuple):
    """The cost of changing a weight, by the key of its feature; those that are not listed cost 1.

    Keys are sorted; `scales` are one over the root of the cost.
    """

    keys: npt.NDArray[np.uint64]
    scales: npt.NDArray[np.float64]

    def scale(self, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        """Return the scale of each of these features."""
        if not len(self.keys):
            return np.ones(len(keys))
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.scales[at], 1.0)


NO_COSTS = Costs(np.empty(0, np.uint64), np.empty(0))
NOTHING = Cells(np.empty(0, np.uint64), np.empty(0, np.uint32), np.empty(0, np.float64))


class Constraint(NamedTuple):
    """An inequality ``change · delta ≥ lacking``, and the example that it comes from."""

    example: int
    delta: Difference
    lacking: float


@dataclass
class Programme:
    """The smallest change that meets all constraints.

    Attributes
    ----------
    corrected
        Examples with lower numbers are corrected, the others are kept.
    constraints, alphas
        The active set, and how far the change goes along each difference.
    cells
        The change.
    costs
        What it costs to change a weight.
    problem
        The constraints as the engine has them.
    """

    corrected: int
    costs: Costs = NO_COSTS
    constraints: list[Constraint] = field(default_factory=list)
    alphas: npt.NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    cells: Cells = NOTHING
    problem: _core.ClosestChange = field(default_factory=_core.ClosestChange)

    def add(self, example: int, delta: Difference, lacking: float) -> None:
        """Add what the weights as they stand are short of; it is asked of the change as a whole."""
        self.constraints.append(Constraint(example, delta, lacking + self.cells.dot(delta)))
        self._pose(delta)

    def ask(self, example: int, more: float) -> bool:
        """Let the constraints of an example ask for more; False if it has none."""
        own = [c._replace(lacking=c.lacking + more) if c.example == example else c for c in self.constraints]
        found = any(each.example == example for each in own)
        self.constraints = own
        return found

    def asking(self) -> list[int]:
        """Return the corrections that have constraints."""
        return sorted({each.example for each in self.constraints if each.example < self.corrected})

    def drop(self, example: int) -> None:
        """Forget an example that was given up."""
        self._forget(lambda each: each.example == example)

    def culprit(self) -> int | None:
        """Return the correction along which the change went farthest; None if it went along none."""
        return self._farthest(self.alphas)

    def _forget(self, is_over: Callable[[Constraint], bool]) -> None:
        self.constraints = [each for each in self.constraints if not is_over(each)]
        self.alphas = np.empty(0)  # they are those of other constraints now
        self.problem = _core.ClosestChange()
        for each in self.constraints:
            self._pose(each.delta)

    def _pose(self, delta: Difference) -> None:
        # Where weights are measured in units of one over the root of their cost, all cost the same.
        values = (delta.values * self.costs.scale(delta.keys)).astype(np.float32)
        self.problem.add(delta.keys, delta.columns, values)

    def solve(self, tolerance: float) -> list[tuple[int, int]]:
        """Find the change; while there is none, give up the correction along which it would go farthest.

        Where no correction asks for anything, what is kept is right without a change.

        Returns
        -------
        The examples that were given up, each with the example that it contradicts, -1 if there is none.
        """
        given_up: list[tuple[int, int]] = []
        while True:
            if not self.asking():
                self._forget(lambda each: True)
            alphas, left, cells = self._closest(tolerance / 100)
            culprit = None if left.max(initial=0.0) <= tolerance else self._farthest(alphas)
            if culprit is None:
                break
            given_up.append((culprit, self._against(culprit, alphas)))
            self.drop(culprit)
        self.alphas, self.cells = alphas, cells
        return given_up

    def _closest(self, tolerance: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], Cells]:
        if not self.constraints:
            return np.empty(0), np.empty(0), NOTHING
        lacking = np.array([each.lacking for each in self.constraints])
        alphas, left, (own, column, change) = self.problem.solve(lacking, tolerance, SWEEPS, self.alphas)
        return alphas, left, Cells(own, column, change * self.costs.scale(own))

    def _farthest(self, alphas: npt.NDArray[np.float64]) -> int | None:
        """Return the correction along which the change went farthest, of equals the later."""
        far: dict[int, float] = {}
        for each, alpha in zip(self.constraints, alphas.tolist()):
            if each.example < self.corrected and alpha > 0.0:
                far[each.example] = max(far.get(each.example, 0.0), alpha)
        return max(far, key=lambda number: (far[number], number), default=None)

    def _against(self, culprit: int, alphas: npt.NDArray[np.float64]) -> int:
        """Return the example whose constraints pull hardest against those of another."""
        own = [
            (each.delta, alpha) for each, alpha in zip(self.constraints, alphas) if each.example == culprit
        ]
        pull: dict[tuple[int, int], float] = {}
        for delta, alpha in own:
            for key, column, value in zip(delta.keys.tolist(), delta.columns.tolist(), delta.values.tolist()):
                pull[key, column] = pull.get((key, column), 0.0) + alpha * value
        against: dict[int, float] = {}
        for each, alpha in zip(self.constraints, alphas.tolist()):
            if each.example == culprit or alpha <= 0.0:
                continue
            cells = zip(each.delta.keys.tolist(), each.delta.columns.tolist(), each.delta.values.tolist())
            total = sum(pull.get((key, column), 0.0) * value for key, column, value in cells)
            against[each.example] = against.get(each.example, 0.0) + alpha * total
        least = min(against, key=lambda number: (against[number], number), default=-1)
        return least if least >= 0 and against[least] < 0.0 else -1
