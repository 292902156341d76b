"""Margins become probabilities, and how well these hold."""

from __future__ import annotations

import math

import numpy as np
import pytest

from structron import DataError
from structron.metrics import Sigmoid, calibration_error, reliability


def test_a_sigmoid_is_found_again() -> None:
    rng = np.random.default_rng(1)
    margins, true = rng.exponential(20.0, 20000), Sigmoid(1.3, -1.0)
    right = rng.random(len(margins)) < true(margins)
    found = Sigmoid.fit(margins, right)
    assert found.slope == pytest.approx(true.slope, abs=0.1)
    assert found.offset == pytest.approx(true.offset, abs=0.15)
    bins = reliability(found(margins), right)
    assert calibration_error(bins) < 0.01 and sum(each.size for each in bins) == len(margins)


def test_it_is_the_most_likely_one() -> None:
    rng = np.random.default_rng(2)
    margins = rng.exponential(5.0, 300)
    right = rng.random(300) < 0.6 + 0.3 * (margins > 5)
    hits = right.sum()
    targets = np.where(right, (hits + 1) / (hits + 2), 1 / (len(right) - hits + 2))

    def likelihood(each: Sigmoid) -> float:
        p = each(margins)
        return float((targets * np.log(p) + (1 - targets) * np.log(1 - p)).sum())

    best = Sigmoid.fit(margins, right)
    for slope, offset in ((0.01, 0), (-0.01, 0), (0, 0.01), (0, -0.01)):
        assert likelihood(Sigmoid(best.slope + slope, best.offset + offset)) < likelihood(best)


def test_more_margin_is_never_less_sure_and_nothing_is_certain() -> None:
    upside_down = Sigmoid.fit([0.0, 1.0, 50.0, 100.0], [True, True, False, False])
    assert upside_down.slope == 0 and upside_down([3.0])[0] == pytest.approx(0.5)
    always = Sigmoid.fit([1.0, 2.0, math.inf], [True] * 3)
    assert 0.5 < always([0.0])[0] <= always([math.inf])[0] < 1


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(DataError, match="0 margins and 0 outcomes; give as many of both, at least one"):
        Sigmoid.fit([], [])
    with pytest.raises(DataError, match="2 margins and 1 outcomes"):
        Sigmoid.fit([1.0, 2.0], [True])
