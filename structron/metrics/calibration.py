"""Calibration: from margins to probabilities by Platt's sigmoid (Platt 1999), and its error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from structron.errors import DataError

Numbers = npt.NDArray[np.float64]
CAP = 1e6  # a margin beyond this, or without a rival at all, says no more
BINS = 10


@dataclass(frozen=True)
class Sigmoid:
    """The probability that a decision of margin m is right: 1 / (1 + exp(-(slope · ln(1 + m) + offset))).

    The logarithm, since margins of perceptrons spread over several orders of magnitude.
    """

    slope: float
    offset: float

    def __call__(self, margins: Sequence[float] | Numbers) -> Numbers:
        return _sigmoid(self.slope * _seen(margins) + self.offset)

    @classmethod
    def fit(cls, margins: Sequence[float] | Numbers, right: Sequence[bool] | Numbers) -> Sigmoid:
        """Fit by maximum likelihood to the targets of Platt (1999), which no data can drive to 0 or 1.

        A larger margin never makes it less sure: where data say otherwise the slope is 0.
        """
        x, good = _seen(margins), np.asarray(right, dtype=np.float64)
        if not len(x) or len(x) != len(good):
            raise DataError(f"{len(x)} margins and {len(good)} outcomes; give as many of both, at least one")
        hits = float(good.sum())
        high, low = (hits + 1) / (hits + 2), 1 / (len(good) - hits + 2)
        targets = np.where(good > 0, high, low)
        table = np.stack([x, np.ones_like(x)], axis=1)
        found = np.array([0.0, np.log(targets.mean() / (1 - targets.mean()))])
        for _ in range(50):
            p = _sigmoid(table @ found)
            gradient = table.T @ (p - targets)
            curvature = (table * (p * (1 - p))[:, None]).T @ table + 1e-6 * np.eye(2)
            step = np.linalg.solve(curvature, gradient)
            found = found - step * min(1.0, 5.0 / max(1e-12, float(np.abs(step).max())))
            if np.abs(step).max() < 1e-9:
                break
        if found[0] < 0:
            return cls(0.0, float(np.log(targets.mean() / (1 - targets.mean()))))
        return cls(float(found[0]), float(found[1]))


class Bin(NamedTuple):
    """Decisions of similar confidence: their number, their mean confidence, and the share that is right."""

    low: float
    high: float
    size: int
    confidence: float
    right: float


def reliability(
    confidences: Sequence[float] | Numbers, right: Sequence[bool] | Numbers, bins: int = BINS
) -> list[Bin]:
    """Return the reliability diagram: bins of equal width, without empty ones."""
    sure, good = np.asarray(confidences, np.float64), np.asarray(right, np.float64)
    place = np.minimum((sure * bins).astype(np.int64), bins - 1)
    found = []
    for i in range(bins):
        own = place == i
        if own.any():
            means = float(sure[own].mean()), float(good[own].mean())
            found.append(Bin(i / bins, (i + 1) / bins, int(own.sum()), *means))
    return found


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the mean distance between confidence and share of right decisions (Naeini et al. 2015).

    Examples
    --------
    >>> calibration_error(reliability([0.75] * 4, [1, 1, 1, 0]))
    0.0
    """
    total = sum(each.size for each in bins)
    return sum(each.size * abs(each.confidence - each.right) for each in bins) / max(1, total)


def _seen(margins: Sequence[float] | Numbers) -> Numbers:
    return np.log1p(np.clip(np.asarray(margins, dtype=np.float64), 0.0, CAP))


def _sigmoid(x: Numbers) -> Numbers:
    found: Numbers = 1.0 / (1.0 + np.exp(-np.clip(x, -60, 60)))
    return found
