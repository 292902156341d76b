"""Sets of difference vectors ΔΦ = Φ(gold) − Φ(guess), with their radius and margin."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from structron.reference.learners.weights import SparseVector, Weights

Floats = NDArray[np.float64]


class Differences:
    """Sparse vectors in rows, each of some example; the theorems are about such sets only.

    Parameters
    ----------
    vectors
        The vectors, those of one example next to each other.
    examples
        The example of each vector, in increasing order; left out, all are of example 0.

    Examples
    --------
    >>> pairs = Differences([{"a": 1.0, "b": 1.0}, {"a": 1.0, "b": -1.0}])
    >>> round(pairs.radius, 3), pairs.margin(Weights({"a": 2.0}))
    (1.414, 1.0)
    """

    def __init__(self, vectors: Sequence[SparseVector], examples: Sequence[int] | None = None) -> None:
        self.columns: dict[Hashable, int] = {}
        places, values, lengths = [], [], []
        for vector in vectors:
            for name, value in vector.items():
                places.append(self.columns.setdefault(name, len(self.columns)))
                values.append(value)
            lengths.append(len(vector))
        self._places = np.array(places, dtype=np.intp)
        self._values = np.array(values, dtype=np.float64)
        self._ends = np.cumsum([0, *lengths])
        self.examples = np.array([0] * len(lengths) if examples is None else examples, dtype=np.intp)

    def __len__(self) -> int:
        return len(self._ends) - 1

    @property
    def radius(self) -> float:
        """Return R, the greatest length of a vector (Definitions 5 and 7); 0 for an empty set."""
        return math.sqrt(max(self.squares(), default=0.0))

    def squares(self) -> Floats:
        """Return the squared length of every vector."""
        return self._sums(self._values**2)

    def dot(self, weights: Floats) -> Floats:
        """Return the inner product of every vector with `weights`, an array over `columns`."""
        return self._sums(self._values * weights[self._places])

    def dense(self, weights: Iterable[tuple[Hashable, float]]) -> Floats:
        """Convert weights to an array over `columns`; skip features that no vector has."""
        array = np.zeros(len(self.columns))
        for name, value in weights:
            if name in self.columns:
                array[self.columns[name]] = value
        return array

    def margin(self, weights: Weights) -> float:
        """Return δ: the least margin by which the unit vector along `weights` separates gold from a guess.

        Infinite for an empty set; 0 or less if `weights` do not separate.
        """
        return float(min(self.margins(weights), default=math.inf))

    def margins(self, weights: Weights) -> Floats:
        """Return u · ΔΦ of every vector, u being the unit vector along `weights`."""
        length = weights.norm()
        return self.dot(self.dense(weights.items())) / length if length else np.zeros(len(self))

    def combination(self, rows: Sequence[int], shares: Floats) -> Floats:
        """Return a linear combination of some rows, as an array over `columns`."""
        of_row = np.zeros(len(self))
        of_row[list(rows)] = shares
        terms = np.repeat(of_row, np.diff(self._ends)) * self._values
        return np.bincount(self._places, terms, minlength=len(self.columns)).astype(np.float64)

    def named(self, array: Floats) -> Weights:
        """Convert an array over `columns` to weights."""
        return Weights(zip(self.columns, array.tolist()))

    def _sums(self, values: Floats) -> Floats:
        out = np.zeros(len(self))
        filled = np.flatnonzero(np.diff(self._ends))  # reduceat knows no empty rows
        if filled.size:
            out[filled] = np.add.reduceat(values, self._ends[filled])
        return out
