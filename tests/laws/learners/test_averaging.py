"""Lazy averaging equals the naive mean of all weight vectors; mixing keeps averages."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import SettingError
from structron.reference import METHODS, Violation, train
from structron.reference.learners.weights import Weights
from tests.graphs import make_graph

DELTAS = st.dictionaries(st.integers(0, 4), st.integers(-3, 3).map(float), max_size=3)


@given(
    st.dictionaries(st.integers(0, 4), st.integers(-3, 3).map(float)), st.lists(st.lists(DELTAS, max_size=2))
)
def test_the_lazy_average_is_the_naive_one(
    start: dict[int, float], examples: list[list[dict[int, float]]]
) -> None:
    """The tutorial's figure starts its counter at 1, so the vector at the start is one of those averaged."""
    weights = Weights(start)
    vectors = [dict(weights.items())]
    for deltas in examples:
        for delta in deltas:
            weights.add(delta)
        weights.tick()
        vectors.append(dict(weights.items()))
    assert weights.counter == len(vectors)
    for name in range(5):
        naive = sum(Fraction(vector.get(name, 0.0)) for vector in vectors) / len(vectors)
        assert weights.averaged()[name] == pytest.approx(float(naive), abs=1e-12)
    assert dict(weights.items()) == vectors[-1], "averaging must leave the weights in training alone"


class Recorder:
    """A perceptron that also keeps what it saw."""

    def __init__(self) -> None:
        self.changes: list[dict[object, float]] = []

    def change(self, violations: list[Violation]) -> dict[object, float]:
        self.changes.append(dict(violations[0].delta))
        return self.changes[-1]


@pytest.mark.parametrize("update", [*METHODS, "laso"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_training_counts_every_example_updated_or_not(update: str, seed: int) -> None:
    rng = random.Random(seed)
    examples = [(graph, graph) for graph in (make_graph(rng) for _ in range(3))]
    total: dict[object, float] = {}
    weights, recorder = Weights(), Recorder()
    for example in examples * 3:
        # One example at a time, so that the vector after each one can be seen.
        for epoch in train(
            [example], search="greedy", update=update, learner=recorder, epochs=1, weights=weights
        ):
            for name, value in epoch.weights.items():
                total[name] = total.get(name, 0.0) + value
    assert weights.counter == 1 + len(examples) * 3
    for name, value in total.items():
        assert weights.averaged()[name] == pytest.approx(value / weights.counter, abs=1e-12)
    rebuilt = Weights()
    for change in recorder.changes:
        rebuilt.add(change)
    assert rebuilt == weights


@given(st.lists(st.lists(DELTAS, max_size=4), min_size=1, max_size=3), st.integers(1, 5))
def test_the_average_of_a_mixture_is_the_mixture_of_averages(
    shards: list[list[dict[int, float]]], odd: int
) -> None:
    parts = []
    for deltas in shards:
        parts.append(Weights())
        for delta in deltas:
            parts[-1].add(delta)
            parts[-1].tick()
    shares = [odd] + [1] * (len(parts) - 1)
    shares = [share / sum(shares) for share in shares]
    mixture = Weights.mix(parts, shares)
    for name in range(5):
        assert mixture[name] == pytest.approx(sum(share * part[name] for share, part in zip(shares, parts)))
        expected = sum(share * part.averaged()[name] for share, part in zip(shares, parts))
        assert mixture.averaged()[name] == pytest.approx(expected, abs=1e-12)


def test_mixing_one_part_changes_nothing() -> None:
    part = Weights()
    for _ in range(7):
        part.add({"a": 0.1, "b": -3.0})
        part.tick()
    mixture = Weights.mix([part])
    assert mixture == part and mixture.counter == part.counter and mixture.averaged() == part.averaged()


@pytest.mark.parametrize(("parts", "shares"), [([], None), ([Weights()], [0.5]), ([Weights()], [0.5, 0.5])])
def test_shares_that_do_not_fit_are_refused(parts: list[Weights], shares: list[float] | None) -> None:
    with pytest.raises(SettingError, match="mix: "):
        Weights.mix(parts, shares)


def test_weights_keep_no_zeros_and_score_either_shape_of_features() -> None:
    weights = Weights({"a": 2.0, "b": 0.0})
    weights.add({"a": -1.0, "c": 4.0}, scale=2.0)
    assert dict(weights.items()) == {"c": 8.0} and len(weights) == 1 and weights["a"] == 0.0
    assert weights.score({"c": 0.5, "z": 9.0}) == weights.score([("c", 0.25), ("c", 0.25)]) == 4.0
    assert weights.norm() == 8.0 and weights != Weights() and weights == weights.copy()
    assert repr(weights) == "Weights({'c': 8})"
