"""A dense vector of real-valued features beside the rows is learned and mixed as the definition has it.

To the definition a dense feature is a name like any other. Values are multiples of 1/8: sums stay exact.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import ModelError, _core
from structron.engine.rows import Rows
from structron.engine.tracing import trace_of
from structron.fit.checkpoints import checkpoints
from structron.io.model_file.archive import read_archive
from structron.learners import parse_learner
from structron.model import Model
from structron.reference import Perceptron, beam, train, train_mixed
from structron.reference.learners.weights import Weights
from structron.search import Exact
from structron.tasks.tagging import TaggingTask
from structron.updates import UPDATES
from tests.graphs import Arc, GraphSpace, graphs, searches
from tests.parity.search.test_graphs import assert_same

SPARSE, DENSE = 3, 3  # of the six features of a graph the first are rows, the others are dense
CHOICES = [name for name in sorted(UPDATES) if name != "laso"]


def named(graph: GraphSpace) -> GraphSpace:
    """The same graph with features of which some are dense."""

    def features(arc: Arc) -> Any:
        return tuple((n, v) if n < SPARSE else (("dense", n - SPARSE), v / 8) for n, v in arc.features)

    arcs = tuple(tuple(Arc(a.action, a.target, features(a), a.good) for a in each) for each in graph.arcs)
    return GraphSpace(graph.steps, graph.keys, arcs)


def engine_graph(graph: GraphSpace, weights: _core.Weights) -> _core.Graph:
    arcs, dense = [], []
    for state, each in enumerate(graph.arcs):
        for arc in each:
            rows = [(n + 1, v) for n, v in arc.features if n < SPARSE]
            arcs.append((state, arc.action, arc.target, arc.good, rows))
            dense.append([(n - SPARSE, v / 8) for n, v in arc.features if n >= SPARSE])
    actions = 1 + max((arc[1] for arc in arcs), default=0)
    return _core.Graph(weights, list(graph.steps), list(graph.keys), arcs, actions, dense=dense)


def empty(bits: int = 0) -> _core.Weights:
    return _core.Weights(1, bits, dense=DENSE)


def found(weights: _core.Weights) -> dict[Any, float]:
    rows: dict[Any, float] = {n: weights.get(n + 1, 0) for n in range(SPARSE)}
    dense = {("dense", i): weights.get(_core.Weights.DENSE, i) for i in range(DENSE)}
    return {name: value for name, value in (rows | dense).items() if value != 0}


def averaged(weights: _core.Weights) -> dict[Any, float]:
    keys, _, _, values, dense = weights.pack(True)
    rows: dict[Any, float] = dict(zip((keys - 1).tolist(), values.tolist()))
    return rows | {("dense", i): value for i, value in enumerate(dense.tolist())}


def assert_averages(weights: _core.Weights, expected: Weights, near: float = 1e-6) -> None:
    ours, mean = averaged(weights), expected.averaged()
    for name in [*range(SPARSE), *(("dense", i) for i in range(DENSE))]:
        assert ours.get(name, 0.0) == pytest.approx(mean[name], abs=near)


def equal(one: Any, other: Any) -> None:
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


@settings(max_examples=100, deadline=None)
@given(graphs(), st.lists(st.integers(-16, 16), min_size=6, max_size=6), searches())
def test_traces_are_equal(graph: GraphSpace, eighths: list[int], search: tuple[int | None, bool]) -> None:
    width, merge = search
    twin = empty()
    names = [*range(SPARSE), *(("dense", i) for i in range(DENSE))]
    weights = Weights(zip(names, (e / 8 for e in eighths)))
    for i, e in enumerate(eighths):
        key, column = (i + 1, 0) if i < SPARSE else (_core.Weights.DENSE, i - SPARSE)
        twin.add(key, column, e / 8)
    expected = beam(named(graph), weights, width, merge, named(graph))
    raw = engine_graph(graph, twin).trace(_core.Search(width or 0, merge))
    assert_same(trace_of(raw), expected)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(graphs(), min_size=1, max_size=4),
    searches(),
    st.sampled_from(sorted(UPDATES)),
    st.integers(0, 1),
)
def test_training_and_averaging_are_equal(
    data: list[GraphSpace], search: tuple[int | None, bool], update: str, margin: int
) -> None:
    width, merge = search
    weights, twin = Weights(), empty()
    engines = [engine_graph(graph, twin) for graph in data]
    for epoch in train(
        [(named(graph), named(graph)) for graph in data],
        search="exact" if width is None else ("beam", width, merge),
        update=update,
        learner=Perceptron(margin),
        epochs=3,
        weights=weights,
    ):
        how, code = _core.Search(width or 0, merge), UPDATES[update].code
        counts = np.sum([e.train(how, code, _core.Perceptron(margin)) for e in engines], axis=0)
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
        assert found(twin) == dict(weights.items())
    assert_averages(twin, weights)


@pytest.mark.parametrize("name", ["perceptron", "mira", "mira:3,C=0.125", "mira:2,augmented"])
@settings(max_examples=40, deadline=None)
@given(graph=graphs(), search=searches(), update=st.sampled_from(CHOICES))
def test_every_learner_makes_the_same_step(
    name: str, graph: GraphSpace, search: tuple[int | None, bool], update: str
) -> None:
    width, merge = search
    learner = parse_learner(name)
    weights, twin = Weights(), empty()
    (epoch,) = train(
        [(named(graph), named(graph))],
        search="exact" if width is None else ("beam", width, merge),
        update=update,
        learner=learner.definition(),
        epochs=1,
        weights=weights,
    )
    counts = engine_graph(graph, twin).train(
        _core.Search(width or 0, merge), UPDATES[update].code, learner.engine()
    )
    assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    for feature, value in (dict(weights.items()) | found(twin)).items():
        assert found(twin).get(feature, 0.0) == pytest.approx(weights[feature], abs=1e-5), value
    # What moves by a step of MIRA is as near as the step; an average of such weights is no nearer.
    assert_averages(twin, weights, 1e-6 if name == "perceptron" else 1e-5)


@settings(max_examples=40, deadline=None)
@given(st.lists(graphs(), min_size=2, max_size=4), st.sampled_from(["uniform", "errors"]), st.integers(1, 2))
def test_mixing_is_equal(data: list[GraphSpace], mixing: str, threads: int) -> None:
    common = empty()
    shards = [common.copy() for _ in data]
    engines = [engine_graph(graph, shard) for graph, shard in zip(data, shards)]
    for shard in shards:
        shard.mark()
    rounds = train_mixed(
        [[(named(graph), named(graph))] for graph in data],
        rounds=3,
        mixing=mixing,
        search="greedy",
        update="max_violation",
    )
    code = UPDATES["max_violation"].code
    for each in rounds:
        for engine in engines:
            engine.train(_core.Search(1, False), code, _core.Perceptron(0))
        cells = [shard.changes() for shard in shards]
        mixture = common.mix(cells, [shard.clock for shard in shards], each.shares, threads)
        for shard in shards:
            shard.adopt(*mixture)
            shard.mark()
            equal(shard.state(), common.state())
        for feature, value in (dict(each.weights.items()) | found(common)).items():
            assert found(common).get(feature, 0.0) == pytest.approx(each.weights[feature], abs=1e-5), value
        assert_averages(common, each.weights)
        # Thirds are rounded, and then rounding may decide between paths with equal scores.
        if not all((64 * share).is_integer() for share in each.shares):
            break


@settings(max_examples=30, deadline=None)
@given(graphs(), st.sampled_from([0, 4]))
def test_what_is_restored_learns_on_as_if_nothing_had_happened(graph: GraphSpace, bits: int) -> None:
    ours, theirs = empty(bits), empty(bits)
    how, code, learner = _core.Search(2, False), UPDATES["max_violation"].code, _core.Perceptron(1)
    engine_graph(graph, ours).train(how, code, learner)
    theirs.restore(*ours.state(), ours.clock)
    equal(ours.state(), theirs.state())
    stored = checkpoints.stored_cells(ours.state(), "")
    equal(checkpoints.cells_of(stored, "", theirs), ours.state())
    for weights in (ours, theirs):
        engine_graph(graph, weights).train(how, code, learner)
    equal(ours.state(), theirs.state())
    equal(ours.pack(True), theirs.pack(True))


def test_a_change_made_elsewhere_reaches_the_dense_vector() -> None:
    weights = empty()
    u32, f64 = np.zeros(1, np.uint32), np.ones(1)
    key = np.array([7, _core.Weights.DENSE], np.uint64)
    column, value = np.array([0, 2], np.uint32), np.array([1.0, 0.125], np.float32)
    offsets = np.array([0, 2], np.uint64)
    travels = (u32, u32 + 1, np.zeros(1, np.uint8), f64, f64, offsets, key, column, value)
    made, change = _core.make_change(weights, _core.Perceptron(0), [travels])
    assert made == (1, 0, 0)
    equal(change, (key, column, value))
    assert weights.get(_core.Weights.DENSE, 2) == 0.125
    other = empty()
    other.add_all(*change)
    equal(other.state(), weights.state())


def test_columns_beyond_the_dense_vector_are_refused() -> None:
    weights = empty()
    for dense in (weights, _core.Weights(9)):
        with pytest.raises(ValueError, match=r"^no such column$"):
            dense.add(_core.Weights.DENSE, 3, 1.0)
    cells = (
        np.array([_core.Weights.DENSE], np.uint64),
        np.array([3], np.uint32),
        np.ones(1, np.float32),
        np.ones(1),
    )
    for refuse in (
        lambda: weights.restore(*cells, 1),
        lambda: weights.adopt(cells, 1.0, 1),
        lambda: weights.mix([cells], [1], [1.0]),
        lambda: checkpoints.cells_of(checkpoints.stored_cells(cells, ""), "", weights),
    ):
        with pytest.raises(ValueError, match=r"^no such column$"):
            refuse()


def test_a_model_file_has_them_in_an_array_of_their_own(tmp_path: Path) -> None:
    weights = _core.Weights(2, 0, dense=3)
    weights.add(5, 1, 2.0)
    weights.add(_core.Weights.DENSE, 1, 0.375)
    rows = Rows(*weights.pack(False))
    task = TaggingTask(("A", "B"), ("w[0]",))
    Model(task, rows, Exact()).save(tmp_path / "model")
    arrays = read_archive(tmp_path / "model")[1]
    assert arrays["dense"].tolist() == [0.0, 0.375, 0.0] and arrays["keys"].tolist() == [5]
    with pytest.raises(ModelError, match="the dense weights do not fit the task"):
        Model.load(tmp_path / "model")
    again = _core.Weights(2, 0, dense=3)
    key, column, weight = rows.cells()
    again.restore(key, column, weight, np.zeros(len(key)), 1)
    equal(again.pack(False), rows)
