"""Definition 8, Observation 2 and Section 4.3 of Dror & Reichart (2016), and the margin of Sun et al."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from structron.errors import SettingError
from structron.reference import Example, exact, train
from structron.reference.learners.weights import Weights
from structron.theory import (
    Differences,
    generalisation_bound,
    latent_margin,
    least_margins,
    maximal_margin,
    theorem_2,
    updates_bound,
)
from tests.graphs import GraphSpace, graphs, make_graph
from tests.laws.learners.test_convergence import confusion_set, datasets, train_until_quiet
from tests.laws.learners.test_theory import JJ, TASK, mixed, seeds, sentences, whole


@pytest.mark.parametrize("jj", JJ)
@given(seed=seeds)
@settings(max_examples=5, deadline=None)
def test_mixed_assignments_leave_no_example_a_smaller_margin(jj: str, seed: int) -> None:
    """Observation 2: r^i is at most r^iJJ, for any u, on any data."""
    data = sentences(seed, separable=False)
    outputs, parts = whole(data), mixed(data, jj)
    rng = random.Random(seed)
    weights = Weights((name, rng.gauss(0, 1)) for name in outputs.columns)
    own, of_parts = least_margins(outputs, weights), least_margins(parts, weights)
    length = weights.norm() or 1.0
    for number, (space, oracle) in enumerate(data):
        trace = exact(space, weights, oracle)
        scores = [
            score for path, score in scored(space, weights) if path != tuple(trace.gold(trace.final).actions)
        ]
        gold = trace.gold(trace.final).score
        assert own[number] == pytest.approx((gold - max(scores)) / length)  # Definition 8, by enumeration
    assert all(own[number] <= of_parts[number] + 1e-12 for number in of_parts)


def scored(space: object, weights: Weights) -> list[tuple[tuple[int, ...], float]]:
    paths = [((), space.initial(), 0.0)]  # type: ignore[attr-defined]
    for _ in space.tokens:  # type: ignore[attr-defined]
        paths = [
            ((*path, a), space.advance(state, a), score + weights.score(space.features(state, a)))  # type: ignore[attr-defined]
            for path, state, score in paths
            for a in space.actions(state)  # type: ignore[attr-defined]
        ]
    return [(path, score) for path, _, score in paths]


KINDS = [("x",), ("y",), ("z",), ("x", "y"), ("y", "x")]


def tagged(words: tuple[str, ...]) -> Example:
    """A sentence whose tags are told by its words."""
    return TASK.space([(w, "-") for w in words]), TASK.oracle(["ABC"["xyz".index(w)] for w in words])


def test_a_vector_of_the_pass_errs_no_more_often_than_the_bound_says() -> None:
    """Over fresh draws; and the bound of SWVP is not above the perceptron's."""
    n, rng = 150, random.Random(5)
    whole_set, parts = (
        whole([tagged(kind) for kind in KINDS]),
        mixed([tagged(kind) for kind in KINDS], "single"),
    )
    best = maximal_margin(whole_set)
    plain, swvp = theorem_2(whole_set, parts, best.weights, best.margin)  # on separable data without a slack
    assert plain == pytest.approx(updates_bound(whole_set.radius, best.margin))
    bound = generalisation_bound([plain], n)
    assert generalisation_bound([swvp], n) <= bound < 1
    mistakes = tried = 0
    for _ in range(4):
        weights = Weights()
        for _ in range(n):
            space, right = tagged(rng.choice(KINDS))
            mistakes += not exact(space, weights, right).best_is_gold[-1]
            tried += 1
            for _ in train([(space, right)], search="exact", update="standard", epochs=1, weights=weights):
                pass
    assert 0 < mistakes / tried <= bound / 2, "the vector that is drawn has half the bound of the vote"


def test_a_bound_needs_something_to_go_by() -> None:
    assert generalisation_bound([1e9], 10) == 1.0
    for bounds, examples in (([], 5), ([1.0], 0)):
        with pytest.raises(SettingError, match="give at least one bound and example"):
            generalisation_bound(bounds, examples)


# ------------------------------------------------------------- Sun, Matsuzaki, Okanohara & Tsujii (2009)


def over_all_pairs(data: list[GraphSpace]) -> float:
    pairs = sorted(set().union(*(confusion_set(graph, "standard") for graph in data)))
    if not pairs:
        return float("inf")
    vectors = [{n: x for n, x in enumerate(pair) if x} for pair in pairs]
    return maximal_margin(Differences(vectors)).margin if all(vectors) else 0.0


@given(data=st.lists(graphs(many_gold=True, steps=2, classes=2), min_size=1, max_size=2))
@settings(max_examples=30, deadline=None)
def test_a_margin_over_all_pairs_is_one_between_labels(data: list[GraphSpace]) -> None:
    assert latent_margin([(graph, graph) for graph in data]) >= over_all_pairs(data) - 1e-6


@given(data=datasets(many_gold=True, skip=1))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_latent_updates_end_within_the_bound_of_all_pairs(data: list[GraphSpace]) -> None:
    pairs = set().union(*(confusion_set(graph, "standard") for graph in data))
    margin, radius = over_all_pairs(data), max((sum(x * x for x in pair) for pair in pairs), default=0.0)
    assert margin > 0, "every arc has a feature of its own"
    limit = radius / margin**2
    updates, epoch = train_until_quiet(data, limit, search="exact", update="standard")
    assert updates <= limit * (1 + 1e-6)
    assert epoch.errors == 0


def test_a_margin_between_labels_alone_does_not_end_the_updates() -> None:
    """Gold has derivations that u cannot tell from wrong ones, and w keeps to those."""
    rng, stuck = random.Random(2), 0
    for _ in range(3000):
        graph = make_graph(rng, many_gold=True, steps=2, classes=2, members=1, skip=1, features=3)
        pairs = confusion_set(graph, "standard")
        if not pairs or over_all_pairs([graph]) > 0 or latent_margin([(graph, graph)]) < 1e-6:
            continue
        for epoch in train([(graph, graph)], search="exact", update="standard", epochs=60):
            if epoch.updates == 0:
                break
        stuck += epoch.updates > 0
        if stuck:
            return
    raise AssertionError("none was found")
