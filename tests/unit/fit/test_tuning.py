"""Tuning finds weights under which better candidates come first."""

from __future__ import annotations

import numpy as np
import pytest

from structron.errors import SettingError
from structron.tasks.translation.fitting.batch_mira import PATIENCE, KBest, Tuner, Vector, has_ended, tune

GOOD, BAD = ["a", "b", "c", "d", "e", "f"], ["a", "x", "c", "y", "e", "z"]


def lists(weights: Vector) -> list[KBest]:
    """A feature that tells good from bad, one that tells the opposite, and one that tells nothing."""
    features = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])
    order = np.argsort(-(features @ weights), kind="stable")
    return [([[GOOD, BAD][i] for i in order], features[order])] * 3


def test_better_candidates_come_first() -> None:
    rounds = list(tune(lists, [[GOOD]] * 3, np.array([0.0, 1.0, 1.0]), Tuner(rounds=2, step=0.1)))
    assert rounds[0].bleu < rounds[1].bleu == pytest.approx(100.0)
    assert rounds[1].weights[0] > rounds[1].weights[1]
    assert rounds[0].candidates == rounds[1].candidates == 6
    assert rounds[0].length_ratio == 1.0


def test_it_is_over_when_nothing_better_is_found_twice() -> None:
    made: list[Vector] = []

    def counted(weights: Vector) -> list[KBest]:
        made.append(weights)
        return lists(weights)

    rounds = list(tune(counted, [[GOOD]] * 3, np.array([0.0, 1.0, 1.0]), Tuner(rounds=9, step=0.1)))
    assert len(rounds) == 1 + PATIENCE and rounds[1].weights.tolist() == rounds[1].before.tolist()
    assert len(made) == 2, "lists of the same weights are made once"
    assert rounds[1][:2] == rounds[2][:2]


def test_a_round_that_finds_nothing_better_is_not_the_last_if_another_order_does() -> None:
    ends = [(0.0,), (1.0,), (1.0,)]
    assert not has_ended(ends) and not has_ended([*ends, (2.0,)]) and has_ended([*ends, (1.0,)])


def test_the_same_seed_gives_the_same_weights() -> None:
    runs = [list(tune(lists, [[GOOD]] * 3, np.zeros(3), Tuner(rounds=2, seed=3))) for _ in range(2)]
    assert [r.weights.tolist() for r in runs[0]] == [r.weights.tolist() for r in runs[1]]


def test_bad_settings_are_refused() -> None:
    with pytest.raises(SettingError, match=r"give at least one round, one epoch, and a step above 0"):
        Tuner(rounds=0)
