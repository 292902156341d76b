"""The smallest change of the weights that meets many constraints (Hildreth 1957, row by row).

`structron.reference.learners.hildreth` solves the same programme from the table of all inner products. Here
the change itself is kept, so that thousands of constraints take no more memory than their differences do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from structron.reference.sequence.spaces import SparseVector

TOLERANCE = 1e-7
SWEEPS = 1_000


class Closest(NamedTuple):
    """A change Σ α_j ΔΦ_j.

    Attributes
    ----------
    alphas
        How far it goes along each difference.
    change
        The change itself.
    lacking
        By how much each constraint is still short after it.
    """

    alphas: list[float]
    change: SparseVector
    lacking: list[float]

    def met(self, tolerance: float) -> bool:
        """Return True if no constraint is short by more than `tolerance`."""
        return max(self.lacking, default=0.0) <= tolerance


def closest(
    deltas: Sequence[SparseVector],
    lacking: Sequence[float],
    tolerance: float = TOLERANCE,
    sweeps: int = SWEEPS,
) -> Closest:
    """Minimise ``|change|² / 2`` so that ``change · ΔΦ_j ≥ lacking_j`` for every j.

    Each step meets one constraint exactly, or takes back what it no longer needs; a sweep takes them in
    their order. Constraints that contradict each other have no solution: their α grow without bound, and
    after the last sweep some are still short.

    Examples
    --------
    >>> found = closest([{"a": 1.0, "b": 1.0}, {"a": -1.0}], [2.0, 0.0])
    >>> [round(alpha, 4) for alpha in found.alphas], {k: round(v, 4) for k, v in found.change.items()}
    ([2.0, 2.0], {'a': 0.0, 'b': 2.0})
    """
    squares = [sum(value * value for value in delta.values()) for delta in deltas]
    alphas = [0.0] * len(deltas)
    change: SparseVector = {}
    for _ in range(sweeps):
        moved = 0.0
        for j, delta in enumerate(deltas):
            if squares[j] <= 0.0:
                continue
            step = max((lacking[j] - _product(delta, change)) / squares[j], -alphas[j])
            alphas[j] += step
            for name, value in delta.items():
                change[name] = change.get(name, 0.0) + step * value
            moved = max(moved, abs(step) * squares[j])
        if moved <= tolerance:
            break
    left = [short - _product(delta, change) for delta, short in zip(deltas, lacking)]
    return Closest(alphas, {name: value for name, value in change.items() if value != 0.0}, left)


def _product(delta: SparseVector, change: SparseVector) -> float:
    return sum(value * change.get(name, 0.0) for name, value in delta.items())
