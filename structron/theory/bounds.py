"""The bounds of the theorems, from radius and margin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from structron.errors import SettingError
from structron.reference.learners.weights import Weights
from structron.theory.differences import Differences
from structron.theory.maximal_margin import maximal_margin


def updates_bound(radius: float, margin: float, slack: float = 0.0) -> float:
    """Return R²/δ², the bound of Theorem 1 of Huang et al. (2012) and of Dror & Reichart (2016).

    Parameters
    ----------
    radius, margin
        R and δ over the pairs that updates are made on; without a margin above 0 nothing is promised.
    slack
        How much w · ΔΦ may be above 0 in an update: the margin of cost-augmented search times the greatest
        loss. The bound is then (R² + 2 slack) / δ².

    >>> updates_bound(2.0, 0.5), updates_bound(2.0, 0.0)
    (16.0, inf)
    """
    if radius == 0:
        return 0.0
    return (radius**2 + 2 * slack) / margin**2 if margin > 0 else math.inf


class FirstPass(NamedTuple):
    """Theorem 2 of Dror & Reichart (2016, Appendix B): mistakes in the first pass over any data.

    Attributes
    ----------
    bound
        The least value of (R + D)²/δ² that was found, u and δ being free.
    slack
        The Δ of its proof at which that is so.
    weights
        The u of it, not of unit length.
    """

    bound: float
    slack: float
    weights: Weights


def first_pass_bound(differences: Differences, *, grid: int = 5) -> FirstPass:
    """Compute Theorem 2 for a confusion set, by the construction of its proof.

    With a coordinate of value Δ for every example the data are separable, and Theorem 1 gives
    (R² + Δ²)/δ² there, δ being the maximal margin. The least of it over Δ is the least of (R + D)²/δ² over u
    and δ. Any Δ gives a bound that holds; `grid` of them are tried around R.
    """
    radius = differences.radius
    if radius == 0:
        return FirstPass(0.0, 0.0, Weights())
    found = []
    for slack in radius * np.geomspace(1 / 4, 16, grid):
        best = maximal_margin(differences, slack=float(slack), tolerance=1e-3)
        found.append(FirstPass((radius**2 + slack**2) / best.margin**2, float(slack), best.weights))
    return min(found, key=lambda each: each.bound)


def generalisation_bound(bounds: Sequence[float], examples: int) -> float:
    """Bound the probability that the next example is a mistake, from bounds of the first pass (Section 4.3).

    Of the n + 1 vectors of a pass over n examples, draw one: it errs on an example that is drawn like them
    with a probability of E[mistakes of a pass over n + 1 examples] / (n + 1), so of at most E[B] / (n + 1)
    (Helmbold & Warmuth 1995). A vote among all of them errs at most twice as often (Freund & Schapire 1999;
    Collins 2002, Theorem 3), which is what is returned. With the right side of Theorem 2, which is never
    greater for mixed assignments, the bound of SWVP is never greater than the perceptron's.

    Parameters
    ----------
    bounds
        The bound of the first pass over n + 1 examples, of one such sample or of several, whose mean counts.
    examples
        The n that are learned from, once each.

    >>> generalisation_bound([3.0, 5.0], 99)
    0.08
    """
    if examples < 1 or not len(bounds):
        raise SettingError(
            "generalisation_bound: there is nothing to go by; give at least one bound and example"
        )
    return min(1.0, 2.0 * math.fsum(bounds) / len(bounds) / (examples + 1))


def theorem_2(whole: Differences, mixed: Differences, weights: Weights, margin: float) -> tuple[float, float]:
    """Return both sides of Theorem 2 as printed, for one separator u (along `weights`) and one δ.

    Returns (R + D)²/δ² of the whole outputs and (R^JJ + D)²/(δ + r^diff)² of the mixed assignments.
    """
    smallest = least_margins(whole, weights)
    short = np.maximum(0.0, margin - np.array(list(smallest.values())))
    lack = math.sqrt(float(short @ short))
    mixed_smallest = least_margins(mixed, weights)
    gain = min((mixed_smallest[i] - smallest[i] for i in smallest if i in mixed_smallest), default=0.0)
    plain = (whole.radius + lack) ** 2 / margin**2
    return plain, (mixed.radius + lack) ** 2 / (margin + gain) ** 2


def least_margins(differences: Differences, weights: Weights) -> dict[int, float]:
    """Return r^i of every example: its least margin under u, which is `weights` (Definition 8)."""
    found: dict[int, float] = {}
    for example, value in zip(differences.examples.tolist(), differences.margins(weights).tolist()):
        found[example] = min(value, found.get(example, math.inf))
    return found
