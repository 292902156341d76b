"""A space in plain Python, searched and learned by the engine, is the same as in the definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.engine.tracing import trace_of
from structron.features.keys import named_key
from structron.learners import parse_learner
from structron.reference import METHODS, Perceptron, beam, train
from structron.reference.learners.weights import Weights
from structron.updates import UPDATES
from tests.graphs import GraphSpace, graphs, searches, whole_weights
from tests.parity.search.test_graphs import assert_same


def engine_of(
    graphs: list[GraphSpace], weights: Weights, search: tuple[int | None, bool], update: str, learner: str
) -> tuple[_core.Trainer, _core.Weights]:
    """The engine's trainer on spaces in Python, with these weights."""
    twin = _core.Weights(1)
    for name, value in weights.items():
        twin.add(named_key(repr(name)), 0, value)
    corpus = _core.OwnCorpus(twin)
    for graph in graphs:
        corpus.add(graph, graph)
    how = _core.Search(search[0] or 0, search[1], math.inf)
    return _core.own_trainer(
        corpus, twin, how, UPDATES[update].code, False, parse_learner(learner).engine()
    ), twin


@settings(max_examples=100)
@given(graphs(), whole_weights(), searches(), st.sampled_from([0, 2]))
def test_traces_are_equal(
    graph: GraphSpace, weights: Weights, search: tuple[int | None, bool], margin: int
) -> None:
    live, _ = engine_of([graph], weights, search, "max_violation", f"perceptron:margin={margin}")
    assert_same(trace_of(live.trace(0)), beam(graph, weights, *search, graph, margin=margin))


@pytest.mark.parametrize("update", [name for name in METHODS if name in UPDATES])
@settings(max_examples=30)
@given(st.lists(graphs(), min_size=1, max_size=3), searches())
def test_training_is_equal(update: str, examples: list[GraphSpace], search: tuple[int | None, bool]) -> None:
    width, merge = search
    described = "exact" if width is None else ("beam", width, merge)
    *_, last = train(  # type: ignore[call-overload]
        [(each, each) for each in examples], search=described, update=update, learner=Perceptron(), epochs=2
    )
    live, _ = engine_of(examples, Weights(), search, update, "perceptron:plain")
    order = np.arange(len(examples), dtype=np.uint32)
    live.run(order)
    counts = live.run(order)
    assert (counts[2], counts[3], counts[4]) == (last.errors, last.updates, last.invalid)
    for each in range(len(examples)):
        expected = beam(examples[each], last.weights, *search, examples[each])
        assert_same(trace_of(live.trace(each)), expected)
