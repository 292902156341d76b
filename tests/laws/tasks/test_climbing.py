"""Swaps of heads: from the best projective tree to one that no change of a single head makes better."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import SettingError
from structron.reference import METHODS, SWVP, Mira, Perceptron, decode, train
from structron.reference.forest.forest import forest
from structron.reference.forest.hill_climbing import climbing
from structron.reference.forest.spanning_trees import arc_of, spanning
from structron.reference.learners.weights import Weights
from structron.search import Forest
from structron.tasks.parsing.graph.oracle import GraphOracle
from structron.tasks.parsing.graph.space import GraphSpace
from tests.laws.tasks.test_graph_parsing import (
    FIRST,
    LABELS,
    SECOND,
    random_weights,
    sentence,
    space_of,
    trees,
)
from tests.laws.tasks.test_spanning import arc_weights

Vector = dict[int, tuple[int, int]]


def example(seed: int, single_root: bool = True, longest: int = 4) -> tuple[GraphSpace, GraphOracle]:
    """A sentence with a tree whose arcs may cross, seen with siblings and grandchildren."""
    tokens, rng = sentence(seed, longest), random.Random(seed)
    space = space_of(tokens, SECOND, single_root=single_root)
    heads = rng.choice(list(trees(len(tokens), projective=False, single_root=single_root)))
    return space, GraphOracle(space, heads, [rng.randrange(LABELS) for _ in tokens])


def score(space: GraphSpace, weights: Weights, tree: Vector, oracle: GraphOracle, margin: float) -> float:
    parts = list(space.uses(tree))
    return sum(weights.score(space.features(*part)) for part in parts) + margin * sum(
        not oracle.allows(*part) for part in parts
    )


@pytest.mark.parametrize("single_root", [True, False])
@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), width=st.sampled_from([None, 1, 2]), margin=st.sampled_from([0.0, 2.0])
)
def test_no_change_of_one_head_gains_anything(
    single_root: bool, seed: int, width: int | None, margin: float
) -> None:
    space, oracle = example(seed, single_root)
    weights, n = random_weights(space, seed), len(space.tokens)
    trace = climbing(space, weights, width, oracle, margin=margin)
    heads, labels = space.tree(trace.best(0))
    every = set(trees(n, projective=False, single_root=single_root))
    assert tuple(heads) in every
    found = dict(enumerate(zip(heads, labels), 1))
    best = score(space, weights, found, oracle, margin)
    assert trace.best(0).score == best
    start = forest(space, weights, width, oracle, margin=margin)
    first = start.best(start.final)
    assert best >= first.score
    changed = sum(found[m] != (h, label) for h, m, label in space.arcs(first))
    if changed == n:
        return  # perhaps it was stopped
    for m in found:
        for h in {*range(n + 1)} - {m}:
            suited = max(
                range(LABELS), key=lambda r: (score_of_arc(space, weights, oracle, h, m, r, margin), -r)
            )
            other = found | {m: (h, suited)}
            if tuple(head for head, _ in other.values()) in every:
                assert score(space, weights, other, oracle, margin) <= best


def score_of_arc(
    space: GraphSpace, weights: Weights, oracle: GraphOracle, h: int, m: int, label: int, margin: float
) -> float:
    right = oracle.allows(*arc_of(space, h, m, label))
    return weights.score(space.arc_features(h, m, label)) + (0.0 if right else margin)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_with_arcs_alone_it_lies_between_the_chart_and_the_best_tree(seed: int) -> None:
    space = space_of(sentence(seed, 6), FIRST)
    weights = arc_weights(space, seed)
    chart = forest(space, weights)
    found = climbing(space, weights).best(0)
    assert chart.best(chart.final).score <= found.score <= spanning(space, weights).best(0).score


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), margin=st.sampled_from([0.0, 3.0]))
def test_all_methods_read_the_one_bin(seed: int, margin: float) -> None:
    space, oracle = example(seed)
    trace = decode(space, random_weights(space, seed), Forest(2, swaps=True), oracle, margin)
    assert space.tree(trace.gold(0))[0] == [h for h, _ in gold_of(space, oracle).values()]
    for name, method in METHODS.items():
        # The search is not exact: gold may score more than the guess, and then nothing is violated.
        violated = trace.best_score[0] >= trace.gold_score[0] or name == "standard"
        assert method(trace) == (0 if violated and not trace.best_is_gold[0] else None)


def gold_of(space: GraphSpace, oracle: GraphOracle) -> Vector:
    found = [
        (m, (h, label))
        for h, m in space.possible()
        for label in range(space.labels)
        if oracle.allows(*arc_of(space, h, m, label))
    ]
    return dict(sorted(found))


@pytest.mark.parametrize("update", ["standard", "skip", "max_violation", "parallel"])
def test_it_learns_trees_that_cross(update: str) -> None:
    data = [example(seed) for seed in range(6)]
    for learner in (Perceptron(), Perceptron(2.0), Mira(1), SWVP()):
        *_, last = train(data, search=Forest(2, swaps=True), update=update, learner=learner, epochs=12)
        assert last.errors <= 2  # some sentences are the same, with other trees


def test_gold_that_the_chart_has_no_arc_for_is_no_gold() -> None:
    full = space_of([("a", "A"), ("b", "B"), ("c", "A")], SECOND)
    pruned = space_of([*full.tokens], SECOND, arcs=[(0, 1), (1, 2), (2, 3)])
    oracle = GraphOracle(pruned, (0, 1, 1), (0, 0, 0))
    trace = climbing(pruned, Weights(), 2, oracle)
    assert np.isnan(trace.gold_score[0])
    assert space_heads(pruned, trace) == [0, 1, 2]


def space_heads(space: GraphSpace, trace: object) -> list[int]:
    return space.tree(trace.best(0))[0]  # type: ignore[attr-defined]


def test_what_it_cannot_do_is_told() -> None:
    space, oracle = example(3)
    with pytest.raises(SettingError, match=r"finds one tree and not the 2 best; use k = 1, or forest"):
        climbing(space, Weights()).kbest(2)
    with pytest.raises(SettingError, match="laso goes on from one bin to the next"):
        next(train([(space, oracle)], search=Forest(2, swaps=True), update="laso"))
    with pytest.raises(SettingError, match="forest swaps 1 is not possible; give True or False"):
        Forest(2, swaps=1)  # type: ignore[arg-type]
