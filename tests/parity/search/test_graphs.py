"""The engine equals the definition, trace by trace, on random graphs: ties, merging, many golds, skips."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.engine.tracing import trace_of
from structron.reference import METHODS, Perceptron, Trace, beam, train
from structron.reference.learners.weights import Weights
from structron.updates import UPDATES
from tests.graphs import GraphSpace, RankedGraph, graphs, searches, whole_weights, withins

NONE = -1


def engine_graph(graph: GraphSpace, weights: _core.Weights) -> _core.Graph | _core.RankedGraph:
    arcs = [
        (state, arc.action, arc.target, arc.good, [(name + 1, value) for name, value in arc.features])
        for state, each in enumerate(graph.arcs)
        for arc in each
    ]
    actions = 1 + max((arc[1] for arc in arcs), default=0)
    if isinstance(graph, RankedGraph):
        steps, keys, futures = list(graph.steps), list(graph.keys), list(graph.futures)
        return _core.RankedGraph(weights, steps, keys, arcs, actions, futures)
    return _core.Graph(weights, list(graph.steps), list(graph.keys), arcs, actions)


def engine_weights(weights: Weights) -> _core.Weights:
    twin = _core.Weights(1)
    for name, value in weights.items():
        twin.add(int(name) + 1, 0, value)  # type: ignore[call-overload]
    return twin


def assert_same(found: Trace, expected: Trace) -> None:
    np.testing.assert_array_equal(found.best_score, expected.best_score)
    np.testing.assert_array_equal(found.gold_score, expected.gold_score)
    np.testing.assert_array_equal(found.gold_in_beam, expected.gold_in_beam)
    np.testing.assert_array_equal(found.best_is_gold, expected.best_is_gold)
    for a, b in zip(found.beams, expected.beams, strict=True):
        assert [(i.score, i.action, i.parent_step, i.parent, i.good) for i in a] == [
            (i.score, i.action, i.parent_step, i.parent, i.good) for i in b
        ]


@settings(max_examples=400, deadline=None)
@given(graphs(futures=True), whole_weights(), searches(), st.sampled_from([0.0, 0.0, 1.0, 2.0]), withins())
def test_traces_are_equal(
    graph: GraphSpace, weights: Weights, search: tuple[int | None, bool], margin: float, within: float
) -> None:
    width, merge = search
    expected = beam(graph, weights, width, merge, graph, margin=margin, within=within)
    raw = engine_graph(graph, engine_weights(weights)).trace(_core.Search(width or 0, merge, within), margin)
    assert_same(trace_of(raw), expected)
    for step, path in enumerate(raw["gold_paths"]):
        if path is not None:
            assert tuple(path) == expected.gold(step).actions
    choices = [NONE if (step := method(expected)) is None else step for method in METHODS.values()]
    codes = [UPDATES[name].code for name in METHODS]
    assert [raw["choices"][code] for code in codes] == choices


@settings(max_examples=150, deadline=None)
@given(
    st.lists(graphs(futures=True), min_size=1, max_size=4),
    searches(),
    st.sampled_from(sorted(UPDATES)),
    st.booleans(),
    st.sampled_from([0.0, 0.0, 1.0]),
)
def test_training_is_equal(
    data: list[GraphSpace], search: tuple[int | None, bool], update: str, skip_correct: bool, margin: float
) -> None:
    width, merge = search
    weights = Weights()
    twin = _core.Weights(1)
    engines = [engine_graph(graph, twin) for graph in data]
    choice = "exact" if width is None else ("beam", width, merge)
    learner = _core.Perceptron(margin)
    if update == "laso":
        skip_correct = False
    reference = train(
        [(graph, graph) for graph in data],
        search=choice,
        update=update,
        learner=Perceptron(margin),
        epochs=3,
        weights=weights,
        skip_correct=skip_correct,
    )
    for epoch in reference:
        counts = np.sum(
            [
                e.train(_core.Search(width or 0, merge), UPDATES[update].code, learner, skip_correct)
                for e in engines
            ],
            axis=0,
        )
        assert counts[0] == epoch.examples
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
        for feature in range(6):
            assert twin.get(feature + 1, 0) == weights[feature]
    averaged = weights.averaged()
    keys, offsets, _, values, _ = twin.pack(True)
    assert len(offsets) == len(keys) + 1
    found = dict(zip((keys - 1).tolist(), values.tolist()))
    for feature in range(6):
        assert found.get(feature, 0.0) == pytest.approx(averaged[feature], abs=1e-6)


@settings(max_examples=150, deadline=None)
@given(graphs(futures=True), whole_weights(), searches(), st.integers(1, 6))
def test_kbest_is_equal(graph: GraphSpace, weights: Weights, search: tuple[int | None, bool], k: int) -> None:
    width, merge = search
    expected = beam(graph, weights, width, merge, graph).kbest(k)
    found = engine_graph(graph, engine_weights(weights)).kbest(k, _core.Search(width or 0, merge))
    assert [score for _, score in found] == [path.score for path in expected]
    assert [tuple(actions) for actions, _ in found] == [path.actions for path in expected]
    for actions, score in found:
        assert sum(weights[n] * v for n, v in graph.vector(tuple(actions)).items()) == score
