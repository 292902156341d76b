"""The engine equals the definition on random forests: items, ties, bins, methods, training, k best."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.learners import parse_learner
from structron.reference import METHODS, train
from structron.reference.forest.forest import forest
from structron.reference.learners.weights import Weights
from structron.search import Forest
from structron.updates import UPDATES
from tests.forests import RandomForest, forests, make_forest
from tests.graphs import whole_weights

WIDTHS = st.sampled_from([None, 1, 2, 3, 5])
NONE = -1


def engine_forest(made: RandomForest, weights: _core.Weights) -> _core.Forest:
    edges = []
    for node in range(made.nodes()):
        for edge in made.edges(node):
            uses = []
            for keys in product(range(made.keys), repeat=len(edge.tails)):
                states = tuple((key, 0) for key in keys)
                state = made.join(node, edge, states)
                features = [(name + 1, value) for name, value in made.features(node, edge, states)]
                uses.append((NONE if state is None else state[0], features))
            edges.append((node, list(edge.tails), edge.action, made.allows(node, edge, ()), uses))
    spans = [made.span(node) for node in range(made.nodes())]
    return _core.Forest(weights, list(made.groups), spans, edges, made.keys)


def engine_weights(weights: Weights) -> _core.Weights:
    twin = _core.Weights(1)
    for name, value in weights.items():
        twin.add(int(name) + 1, 0, value)  # type: ignore[call-overload]
    return twin


@settings(max_examples=200, deadline=None)
@given(forests(nodes=8), whole_weights(), WIDTHS, st.sampled_from([0.0, 0.0, 1.0, 2.0]))
def test_traces_are_equal(made: RandomForest, weights: Weights, width: int | None, margin: float) -> None:
    expected = forest(made, weights, width, made, margin=margin)
    search = _core.Search(width or 0, True)
    found = engine_forest(made, engine_weights(weights)).trace(search, margin)
    for name in ("best_score", "gold_score", "gold_in_beam", "best_is_gold"):
        np.testing.assert_array_equal(found[name], getattr(expected, name))
    for ours, theirs in zip(found["items"], expected.items, strict=True):
        assert [
            (score, gain, action, tails, key, good) for score, gain, action, tails, key, good in ours
        ] == [
            (i.score, i.gain, i.edge.action, [(t.node, t.rank) for t in i.tails], i.state[0], i.good)
            for i in theirs
        ]
    for name, method in METHODS.items():
        if name != "parallel":
            chosen = method(expected)
            assert found["choices"][UPDATES[name].code] == (NONE if chosen is None else chosen)


@settings(max_examples=120, deadline=None)
@given(
    st.lists(forests(nodes=8), min_size=1, max_size=3),
    WIDTHS,
    st.sampled_from(sorted(METHODS)),
    st.booleans(),
    st.sampled_from(["perceptron", "perceptron:margin=1", "perceptron:margin=2"]),
)
def test_training_is_equal(
    data: list[RandomForest], width: int | None, update: str, skip_correct: bool, learner: str
) -> None:
    twin = _core.Weights(1)
    engines = [engine_forest(made, twin) for made in data]
    choice = parse_learner(learner)
    weights = Weights()
    for epoch in train(
        [(made, made) for made in data],
        search=Forest(width),
        update=update,
        learner=choice.definition(),
        epochs=3,
        weights=weights,
        skip_correct=skip_correct,
    ):
        search, code = _core.Search(width or 0, True), UPDATES[update].code
        counts = np.sum([e.train(search, code, choice.engine(), skip_correct) for e in engines], axis=0)
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
        for name in range(6):
            assert twin.get(name + 1, 0) == weights[name]


@settings(max_examples=60, deadline=None)
@given(
    forests(nodes=8), WIDTHS, st.sampled_from(sorted(METHODS)), st.sampled_from(["mira:3", "mira:2,C=0.25"])
)
def test_mira_sees_the_same_guesses(made: RandomForest, width: int | None, update: str, learner: str) -> None:
    twin, weights, choice = _core.Weights(1), Weights(), parse_learner(learner)
    engine = engine_forest(made, twin)
    for epoch in train(
        [(made, made)],
        search=Forest(width),
        update=update,
        learner=choice.definition(),
        epochs=1,
        weights=weights,
    ):
        counts = engine.train(_core.Search(width or 0, True), UPDATES[update].code, choice.engine())
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    for name in range(6):
        assert abs(twin.get(name + 1, 0) - weights[name]) < 1e-5


def test_a_tail_that_does_not_fit_is_passed_over_once() -> None:
    made = make_forest(566, many_gold=False, nodes=8)
    check_kbest(made, Weights({5: -1}), 3, 3)


@settings(max_examples=120, deadline=None)
@given(forests(nodes=8), whole_weights(), WIDTHS, st.integers(1, 9))
def test_the_k_best_are_equal(made: RandomForest, weights: Weights, width: int | None, k: int) -> None:
    check_kbest(made, weights, width, k)


def check_kbest(made: RandomForest, weights: Weights, width: int | None, k: int) -> None:
    expected = forest(made, weights, width, made).kbest(k)
    found = engine_forest(made, engine_weights(weights)).kbest(k, _core.Search(width or 0, True))
    assert [score for _, score in found] == [tree.score for tree in expected]
    assert [tuple(actions) for actions, _ in found] == [tree.actions for tree in expected]
