"""Paired bootstrap: no difference is never significant, a clear one is, and seeds decide all the rest."""

from __future__ import annotations

import numpy as np
import pytest

from structron.errors import DataError
from structron.metrics.bootstrap import Counts, paired_bootstrap


def share(counts: Counts) -> Counts:
    return 100 * counts[..., 0] / counts[..., 1]


def rows(right: list[int]) -> Counts:
    return np.array([[each, 10] for each in right], dtype=np.float64)


def test_an_output_does_not_differ_from_itself() -> None:
    found = paired_bootstrap(rows([1, 5, 9]), rows([1, 5, 9]), share, np.random.default_rng(0))
    assert found.difference == found.low == found.high == found.wins == 0.0 and found.p == 1.0


def test_better_on_every_sentence_is_better_on_every_sample() -> None:
    worse = [int(each) for each in np.random.default_rng(1).integers(0, 9, 50)]
    found = paired_bootstrap(
        rows([each + 1 for each in worse]), rows(worse), share, np.random.default_rng(0), 200
    )
    assert found.difference == pytest.approx(10.0) and found.wins == 1.0
    assert found.low == pytest.approx(10.0) == found.high
    assert found.p == 1 / 201, "the smallest there is"


def test_as_many_gains_as_losses_are_chance() -> None:
    first, second = rows([9, 1] * 20), rows([1, 9] * 20)
    found = paired_bootstrap(first, second, share, np.random.default_rng(0), 500)
    assert found.difference == 0.0 and found.low < 0 < found.high and found.p == 1.0
    assert 0.3 < found.wins < 0.7


def test_a_seed_decides_all_however_many_are_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = rows([3, 4, 9, 1]), rows([2, 6, 7, 1])
    once = paired_bootstrap(first, second, share, np.random.default_rng(3), 60)
    monkeypatch.setattr("structron.metrics.bootstrap._CELLS", 28)
    assert paired_bootstrap(first, second, share, np.random.default_rng(3), 60) == once
    assert paired_bootstrap(first, second, share, np.random.default_rng(4), 60) != once


def test_other_sentences_are_refused() -> None:
    with pytest.raises(DataError, match="2 sentences of one output and 1 of the other; compare outputs for"):
        paired_bootstrap(rows([1, 2]), rows([1]), share, np.random.default_rng(0))
