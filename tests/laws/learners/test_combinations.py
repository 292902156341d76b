"""Convex combinations of violations keep the bound (Huang et al. 2012, footnote 2), also LaSO's own step.

And Theorem 5: which confusion set lies in which, and so which data are separable for which search.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from structron.errors import SettingError
from structron.reference import Perceptron, find, is_violation, train, violation
from structron.reference.learners.weights import Weights
from structron.reference.sequence.search import decode
from structron.theory import Differences, maximal_margin
from tests.graphs import GraphSpace, graphs, make_graph, whole_weights
from tests.laws.learners.test_convergence import bound, confusion_set, datasets, train_until_quiet

BEAM = ("beam", 2, False)


def all_by_excess(trace: Any) -> dict[int, float] | None:
    """All violated bins, each with a share by its excess; one more keeps ties above 0."""
    rows = np.flatnonzero(is_violation(trace))
    amounts = (trace.best_score - trace.gold_score)[rows] + 1.0
    return dict(zip(map(int, rows), (amounts / amounts.sum()).tolist())) or None


@given(graph=graphs(), weights=whole_weights())
@settings(max_examples=60, deadline=None)
def test_a_convex_combination_of_violations_is_a_violation(graph: GraphSpace, weights: Weights) -> None:
    trace = decode(graph, weights, BEAM, graph)
    shares = all_by_excess(trace)
    if shares is None:
        return
    step: Any = next(iter(shares)) if len(shares) == 1 else shares
    (found,) = find(trace, step, graph, weights, Perceptron())
    total: dict[Any, float] = {}
    for each, share in shares.items():
        for name, value in violation(trace, each).delta.items():
            total[name] = total.get(name, 0.0) + share * value
    assert dict(found.delta) == pytest.approx({name: value for name, value in total.items() if value})
    assert found.excess >= 0
    assert weights.score(found.delta) == pytest.approx(-found.excess, abs=1e-9)


@pytest.mark.parametrize("search", ["exact", "greedy", BEAM], ids=str)
@given(data=datasets(many_gold=False, skip=2))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_updates_on_combinations_are_bounded_by_radius_and_margin(
    search: object, data: list[GraphSpace]
) -> None:
    """No combination is longer than the longest, and none is nearer to the separator than the nearest."""
    limit = bound(data, "beam")
    updates, epoch = train_until_quiet(data, limit, search=search, update=all_by_excess)
    assert updates <= limit * (1 + 1e-9)
    assert epoch.updates == epoch.errors == 0


@pytest.mark.parametrize("shares", [{0: 0.5}, {0: 1.5, 1: -0.5}, {0: float("nan"), 1: 1.0}, {0: 0.0, 1: 1.0}])
def test_what_is_no_convex_combination_is_refused(shares: dict[int, float]) -> None:
    graph = make_graph(random.Random(1))
    with pytest.raises(SettingError, match="no convex combination; give numbers above 0"):
        list(train([(graph, graph)], search="greedy", update=lambda trace: shares, epochs=1))


@given(data=datasets(many_gold=False, skip=2), guesses=st.integers(2, 4))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_laso_with_the_mean_of_its_beam_keeps_the_bound(data: list[GraphSpace], guesses: int) -> None:
    """Daumé & Marcu's own step, under the condition that Xu, Fern & Yoon give: prefixes of one step."""
    limit = bound(data, "beam")
    learner = Perceptron(guesses=guesses)
    updates, epoch = train_until_quiet(
        data, limit, search=("beam", guesses, False), update="laso", learner=learner
    )
    assert updates <= limit * (1 + 1e-9)
    assert epoch.updates == epoch.errors == 0


@pytest.mark.parametrize("seed", [13, 125, 135, 456])
def test_to_separate_the_next_actions_of_gold_is_not_enough_for_laso(seed: int) -> None:
    """What Daumé & Marcu's theorem asks for, and Xu, Fern & Yoon corrected, leaves LaSO running for ever."""
    rng = random.Random(seed)
    limits = {"steps": 4, "classes": 3, "members": 1, "skip": 1, "actions": 3, "features": 5, "values": 2}
    data = [make_graph(rng, **limits) for _ in range(2)]
    assert margin_of(set().union(*(confusion_set(graph, "greedy") for graph in data))) > 0.1
    assert margin_of(set().union(*(confusion_set(graph, "beam") for graph in data))) < 1e-6
    learner = Perceptron(guesses=2)
    pairs = [(graph, graph) for graph in data]
    assert all(
        epoch.updates for epoch in train(pairs, search=BEAM, update="laso", learner=learner, epochs=150)
    )


@given(graph=graphs(many_gold=False, skip=1, members=1))
@settings(max_examples=80, deadline=None)
def test_the_greedy_and_the_standard_set_lie_in_that_of_the_beam(graph: GraphSpace) -> None:
    """Theorem 5: so the beam's is never easier to separate, nor shorter."""
    beam = confusion_set(graph, "beam")
    for kind in ("greedy", "standard"):
        inside = confusion_set(graph, kind)
        assert inside <= beam
        if inside:
            assert margin_of(inside) >= margin_of(beam) - 1e-6
            assert max(map(size, inside)) <= max(map(size, beam))


def size(pair: tuple[float, ...]) -> float:
    return float(np.dot(pair, pair))


def margin_of(pairs: set[tuple[float, ...]]) -> float:
    vectors = [{n: x for n, x in enumerate(each) if x} for each in pairs]
    return max(0.0, maximal_margin(Differences(vectors)).margin)
