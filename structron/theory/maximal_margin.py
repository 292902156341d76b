"""The maximal margin: the shortest point in the convex hull of a set of differences (Wolfe 1976).

The greatest δ for which some unit vector u has u · ΔΦ ≥ δ for every ΔΦ is the distance of their convex hull
from 0, and u points to the nearest point. Both sides are certified whatever the solver does: the margin that
u really has is no more than the maximum, and the length of a point of the hull is no less.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structron.reference.learners.weights import Weights
from structron.theory.differences import Differences, Floats

_TINY = 1e-12


class MaximalMargin(NamedTuple):
    """The result of searching for the maximal margin of a set.

    Attributes
    ----------
    weights
        A separator, if there is one.
    margin
        The margin that it has: a lower bound of the maximum. 0 or less: it does not separate.
    at_most
        An upper bound of the maximum; 0 up to rounding if nothing separates the set.
    """

    weights: Weights
    margin: float
    at_most: float

    @property
    def separable(self) -> bool:
        """Return True if a separator was found."""
        return self.margin > 0


def maximal_margin(
    differences: Differences, *, slack: float = 0.0, tolerance: float = 1e-9, rounds: int = 10_000
) -> MaximalMargin:
    """Find the separator with the greatest margin.

    Parameters
    ----------
    slack
        With s > 0 every example has a coordinate of its own, of value s in all its differences: the
        representation ψ of the proof of Theorem 2 of Dror & Reichart (2016), in which any data are separable.
    tolerance
        Stop when lower and upper bound differ by less than this share of the radius.
    rounds
        Stop after so many vertices in any case; the bounds are right then too.
    """
    if not len(differences):
        return MaximalMargin(Weights(), math.inf, math.inf)
    hull = _Hull(differences, slack)
    scale = hull.radius
    point, best, at_most = None, -math.inf, math.inf

    def found() -> Weights:  # by name only once: that costs more than a round
        return Weights() if point is None else differences.named(point)

    for _ in range(rounds):
        length = hull.length
        if length <= tolerance * scale:
            return MaximalMargin(found(), min(best, 0.0), length)
        scores = hull.scores()
        margin = float(scores.min()) / length
        at_most = min(at_most, length)
        if margin > best:
            point, best = hull.point, margin
        if at_most - best <= tolerance * scale or not hull.take(int(scores.argmin())):
            break
    return MaximalMargin(found(), best, at_most)


class _Hull:
    """Some vertices, and the point of least length of their affine hull where that lies inside."""

    def __init__(self, differences: Differences, slack: float) -> None:
        self.differences, self.square = differences, slack * slack
        squares = differences.squares() + self.square
        self.radius = math.sqrt(float(squares.max()))
        self.rows: list[int] = [int(squares.argmin())]
        self.shares: Floats = np.ones(1)
        self.gram: NDArray[np.float64] = squares[self.rows][:, None]
        self._place()

    def _place(self) -> None:
        self.point = self.differences.combination(self.rows, self.shares)
        own = np.zeros(int(self.differences.examples.max()) + 1)
        np.add.at(own, self.differences.examples[self.rows], self.shares)
        self.own = own * math.sqrt(self.square)
        self.length = math.sqrt(float(self.point @ self.point) + float(self.own @ self.own))

    def scores(self) -> Floats:
        """Return the inner product of the point with every vertex of the set."""
        inner = self.differences.dot(self.point)
        return inner + math.sqrt(self.square) * self.own[self.differences.examples]

    def take(self, row: int) -> bool:
        """Add a vertex and move to the nearest point; False if nothing moves any more."""
        if row in self.rows:
            return False
        before = self.length
        vertex = self.differences.combination([row], np.ones(1))
        same = self.differences.examples[self.rows] == self.differences.examples[row]
        column = self._inner(vertex) + self.square * same
        own = float(vertex @ vertex) + self.square
        self.gram = np.block([[self.gram, column[:, None]], [column[None, :], np.array([[own]])]])
        self.rows.append(row)
        self.shares = np.append(self.shares, 0.0)
        while True:
            nearest = self._affine()
            if (nearest > _TINY).all():
                self.shares = nearest
                break
            # The nearest point lies outside: go towards it up to the border, and drop who is left behind.
            out = nearest <= _TINY
            step = float(np.min(self.shares[out] / np.maximum(self.shares[out] - nearest[out], _TINY)))
            self.shares = (1 - min(step, 1.0)) * self.shares + min(step, 1.0) * nearest
            kept = self.shares > _TINY
            if kept.all():
                kept[np.flatnonzero(out)[np.argmin(self.shares[out])]] = False
            self._keep(kept)
        self._place()
        return self.length < before

    def _inner(self, vertex: Floats) -> Floats:
        return self.differences.dot(vertex)[self.rows]

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        self.rows = [row for row, stays in zip(self.rows, kept) if stays]
        self.shares = self.shares[kept] / self.shares[kept].sum()
        self.gram = self.gram[np.ix_(kept, kept)]

    def _affine(self) -> Floats:
        """Return the shares, with sum 1 and any sign, of the shortest point of the affine hull."""
        ones = np.ones(len(self.rows))
        # Adding the same number to all products changes nothing where shares sum to 1, and makes it definite.
        system = self.gram + self.radius**2
        try:
            shares = np.linalg.solve(system, ones)
        except np.linalg.LinAlgError:
            shares = np.linalg.lstsq(system, ones, rcond=None)[0]
        return np.asarray(shares / shares.sum(), dtype=np.float64)
