"""The best of all trees, crossing arcs or not: the definition against all trees; training on its one bin."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import SettingError, TaskError
from structron.reference import METHODS, SWVP, Mira, Perceptron, compare, decode, train
from structron.reference.forest.forest import forest
from structron.reference.forest.spanning_trees import arc_of, spanning
from structron.reference.learners.weights import Weights
from structron.search import Spanning
from structron.tasks.parsing.graph.oracle import GraphOracle
from structron.tasks.parsing.graph.space import GraphSpace
from tests.laws.tasks.test_graph_parsing import (
    FIRST,
    LABELS,
    SECOND,
    sentence,
    space_of,
    trees,
)


def arc_weights(space: GraphSpace, seed: int) -> Weights:
    """Small whole weights for all features of all arcs."""
    rng, everyone = random.Random(seed), range(len(space.tokens) + 1)
    found: dict[Any, float] = {}
    for h, m, label in product(everyone, everyone[1:], range(LABELS)):
        if h != m:
            for name, _ in space.features(*arc_of(space, h, m, label)):
                found.setdefault(name, float(rng.randint(-3, 3)))
    return Weights(found)


def example(seed: int, longest: int = 4, **more: Any) -> tuple[GraphSpace, GraphOracle]:
    """A sentence with a tree whose arcs may cross."""
    tokens, rng = sentence(seed, longest), random.Random(seed)
    space = space_of(tokens, FIRST, **more)
    heads = rng.choice(list(trees(len(tokens), projective=False, single_root=space.single_root)))
    return space, GraphOracle(space, heads, [rng.randrange(LABELS) for _ in tokens])


@pytest.mark.parametrize("single_root", [True, False])
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), margin=st.sampled_from([0.0, 2.0]))
def test_it_is_the_best_of_all_trees(single_root: bool, seed: int, margin: float) -> None:
    space, oracle = example(seed, 4 if single_root else 3, single_root=single_root)
    weights, n = arc_weights(space, seed), len(space.tokens)

    arcs = {
        (h, m, label): (part, weights.score(space.features(*part)))
        for h, m, label in product(range(n + 1), range(1, n + 1), range(LABELS))
        if h != m
        for part in [arc_of(space, h, m, label)]
    }

    def score(heads: tuple[int, ...], labels: tuple[int, ...]) -> float:
        found = [arcs[h, m, label] for m, (h, label) in enumerate(zip(heads, labels), 1)]
        return sum(each + (0.0 if oracle.allows(*part) else margin) for part, each in found)

    every = {
        (heads, labels): score(heads, labels)
        for heads in trees(n, projective=False, single_root=single_root)
        for labels in product(range(LABELS), repeat=n)
    }
    trace = spanning(space, weights, oracle, margin=margin)
    heads, labels = space.tree(trace.best(0))
    assert trace.best(0).score == max(every.values()) == every[tuple(heads), tuple(labels)]
    gold = space.tree(trace.gold(0))
    assert all(oracle.allows(*part) for part in trace.gold(0).parts)
    assert trace.gold(0).score == every[tuple(gold[0]), tuple(gold[1])]  # gold has no margin


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_no_projective_tree_is_better(seed: int) -> None:
    space = space_of(sentence(seed, 6), FIRST)
    weights = arc_weights(space, seed)
    trace = forest(space, weights)
    best = spanning(space, weights).best(0)
    assert best.score >= trace.best(trace.final).score
    # The same parts, whoever has found the tree.
    heads, labels = map(tuple, space.tree(trace.best(trace.final)))
    whole = space.uses(dict(enumerate(zip(heads, labels), 1)))
    assert sum(weights.score(space.features(*part)) for part in whole) == trace.best(trace.final).score


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), margin=st.sampled_from([0.0, 3.0]))
def test_all_methods_read_the_one_bin(seed: int, margin: float) -> None:
    space, oracle = example(seed)
    trace = decode(space, arc_weights(space, seed), Spanning(), oracle, margin)
    found = {method(trace) for method in METHODS.values()}
    assert found == ({None} if trace.best_is_gold[0] else {0})
    if not trace.best_is_gold[0]:
        pair = compare(space, trace.gold(0), trace.best(0))
        assert pair.excess >= 0
        assert pair.loss == space.loss(trace.gold(0), trace.best(0)) > 0


@pytest.mark.parametrize("update", ["standard", "skip", "max_violation", "parallel"])
def test_it_learns_trees_that_cross(update: str) -> None:
    data = [example(seed) for seed in range(8)]
    for learner in (Perceptron(), Perceptron(2.0), Mira(1), SWVP()):
        *_, last = train(data, search=Spanning(), update=update, learner=learner, epochs=15)
        assert last.errors <= 2  # some sentences are the same, with other trees


def test_gold_that_cannot_be_built_is_no_gold() -> None:
    space = space_of([("a", "A")] * 3, FIRST)
    weights = arc_weights(space, 1)
    for heads in ((2, 1, 0), (0, 0, 1)):  # a cycle; two words at the root
        trace = spanning(space, weights, GraphOracle(space, heads, (0, 0, 0)))
        assert np.isnan(trace.gold_score[0])
        assert not trace.fallen[0]


def test_what_it_cannot_do_is_told() -> None:
    space, oracle = example(3)
    with pytest.raises(SettingError, match=r"finds one tree and not the 2 best; use k = 1, or forest"):
        spanning(space, arc_weights(space, 3)).kbest(2)
    with pytest.raises(SettingError, match="laso goes on from one bin to the next"):
        next(train([(space, oracle)], search=Spanning(), update="laso"))
    second = space_of([("a", "A")] * 2, SECOND)
    with pytest.raises(TaskError, match=r"templates see siblings or grandchildren; leave those out"):
        spanning(second, Weights())
