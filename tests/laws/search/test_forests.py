"""Search over forests: exact, cube-pruned, k-best, counted; violations at nodes and their bound."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from structron.errors import SettingError, TaskError
from structron.reference import METHODS, Mira, Perceptron, beam, train
from structron.reference.forest.forest import forest
from structron.reference.forest.hypergraph import Edge
from structron.reference.learners.violations import is_violation
from structron.reference.learners.weights import Weights
from structron.reference.sequence.violation_finder import find
from structron.search import Forest
from structron.theory import Differences, maximal_margin
from tests.forests import RandomForest, forests, make_forest, score_of
from tests.graphs import GraphSpace, graphs, searches, whole_weights

WIDTHS = st.sampled_from([None, 1, 2, 3, 5])
HUGE = 10_000


class Unary:
    """A sequence space as a forest: a node for each step, edges from every earlier one by every action."""

    def __init__(self, graph: GraphSpace, merge: bool) -> None:
        self.graph, self.merge = graph, merge
        self.actions = sorted({arc.action for arcs in graph.arcs for arc in arcs})

    def nodes(self) -> int:
        return max(self.graph.steps) + 1

    def group(self, node: int) -> int:
        return node

    def edges(self, node: int) -> list[Edge]:
        if node == 0:
            return [Edge((), 0)]
        return [Edge((tail,), action) for tail in range(node) for action in self.actions]

    def join(self, node: int, edge: Edge, states: tuple[Any, ...]) -> Any:
        if node == 0:
            return (0, ())
        state, path = states[0]
        if edge.action not in self.graph.actions(state):
            return None
        after = self.graph.advance(state, edge.action)
        return (after, (*path, edge.action)) if self.graph.step(after) == node else None

    def features(self, node: int, edge: Edge, states: tuple[Any, ...]) -> Any:
        return self.graph.features(states[0][0], edge.action) if node else ()

    def merge_key(self, state: Any) -> Any:
        # Without merging, every path is its own.
        return self.graph.merge_key(state[0]) if self.merge else state

    def allows(self, node: int, edge: Edge, states: tuple[Any, ...]) -> bool:
        return node == 0 or self.graph.allows(states[0][0], edge.action)


@settings(max_examples=150, deadline=None)
@given(graphs(), whole_weights(), searches(), st.sampled_from([0.0, 2.0]))
def test_a_sequence_space_is_a_forest_of_unary_edges(
    graph: GraphSpace, weights: Weights, search: tuple[int | None, bool], margin: float
) -> None:
    width, merge = search
    sequence = beam(graph, weights, width, merge, graph, margin=margin)
    unary = Unary(graph, merge)
    chart = forest(unary, weights, width, unary, margin=margin)
    assert len(chart.items) == len(sequence.beams) + 1
    for row, items in zip(sequence.beams, chart.items[1:]):
        assert [(i.score, i.edge.action, i.tails[0].node - 1, i.good) for i in items] == [
            (i.score, i.action, i.parent_step, i.good) for i in row
        ]
        assert [i.tails[0].rank if i.tails[0].node else -1 for i in items] == [i.parent for i in row]
    np.testing.assert_array_equal(chart.best_score[1:], sequence.best_score)
    np.testing.assert_array_equal(chart.gold_score[1:], sequence.gold_score)
    np.testing.assert_array_equal(chart.best_is_gold[1:], sequence.best_is_gold)
    if any(graph.steps[arc.target] > step + 1 for step, arcs in zip(graph.steps, graph.arcs) for arc in arcs):
        return  # a beam calls gold still in where it has skipped a row and waits on a later one
    gold = ~np.isnan(sequence.gold_score)
    np.testing.assert_array_equal(chart.gold_in_beam[1:][gold], sequence.gold_in_beam[gold])
    for name, method in METHODS.items():
        if name != "parallel":
            expected, found = method(sequence), method(chart)
            assert found == (None if expected is None else expected + 1)


@settings(max_examples=100, deadline=None)
@given(forests(), whole_weights())
def test_exact_search_finds_the_best_of_all_derivations(made: RandomForest, weights: Weights) -> None:
    trace = forest(made, weights, None, made)
    assume(trace.derivations() <= 5000)  # a forest may have millions
    every = list(made.derivations())
    best = trace.best(trace.final)
    assert best.score == max(score_of(uses, made, weights) for uses in every)
    assert best.score == score_of(best, made, weights)
    golds = [uses for uses in every if made.is_gold(uses)]
    assert trace.gold_score[-1] == max(score_of(uses, made, weights) for uses in golds)
    assert made.is_gold(trace.gold(trace.final).uses)
    assert trace.derivations() == len(every)


@settings(max_examples=80, deadline=None)
@given(forests(), whole_weights(), st.sampled_from([0.0, 1.0]))
def test_cube_pruning_without_a_bound_is_exact(made: RandomForest, weights: Weights, margin: float) -> None:
    exact, cubes = (forest(made, weights, width, made, margin=margin) for width in (None, HUGE))
    for one, other in ((exact.items, cubes.items), (exact.gold_items, cubes.gold_items)):
        assert [[item.order for item in items] for items in one] == [
            [item.order for item in items] for items in other
        ]
    assert exact.derivations() == cubes.derivations()


@settings(max_examples=80, deadline=None)
@given(forests(), whole_weights(), st.integers(1, 12))
def test_kbest_is_the_top_of_all_derivations_without_repeats(
    made: RandomForest, weights: Weights, k: int
) -> None:
    found = forest(made, weights, None, made).kbest(k)
    every = sorted((score_of(uses, made, weights) for uses in made.derivations()), reverse=True)
    assert [tree.score for tree in found] == every[:k]
    assert [score_of(tree, made, weights) for tree in found] == every[:k]
    edges = [tuple(sorted((use.node, use.edge) for use in tree.uses)) for tree in found]
    bags = {(tree.actions, tuple((use.node, use.edge.tails) for use in tree.uses)) for tree in found}
    assert len(bags) == len(edges) == len(found)


@settings(max_examples=100, deadline=None)
@given(forests(), whole_weights(), WIDTHS)
def test_gold_that_is_out_at_a_node_is_out_at_the_gold_nodes_above(
    made: RandomForest, weights: Weights, width: int | None
) -> None:
    trace = forest(made, weights, width, made)
    for items in trace.items:
        for item in items:
            if item.good:
                assert all(tail.good and not trace.fallen[tail.node] for tail in item.tails)
    assert not (trace.fallen & trace.gold_in_beam).any()
    if width is None:  # with one gold derivation exact search keeps it, unless something better looks alike
        assert len(trace.items[-1]) <= made.keys


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=50, deadline=None)
@given(made=forests(), weights=whole_weights(), width=WIDTHS)
def test_methods_choose_violations(
    name: str, made: RandomForest, weights: Weights, width: int | None
) -> None:
    trace = forest(made, weights, width, made)
    chosen = METHODS[name](trace)
    if chosen is None:
        return
    nodes = chosen if isinstance(chosen, tuple) else (chosen,)
    assert nodes == tuple(sorted(nodes))
    for node in nodes:
        assert not made.is_gold(trace.best(node).uses)
        assert made.is_gold(trace.gold(node).uses)
        if name != "standard":
            assert is_violation(trace)[node]
    spans = [made.span(node) for node in nodes]
    assert all(a[1] <= b[0] or b[1] <= a[0] for i, a in enumerate(spans) for b in spans[:i])
    (found,) = find(trace, chosen, made, weights, Perceptron())
    assert weights.score(found.delta) == -found.excess
    if name in ("early", "latest") and trace.fallen.any():
        assert trace.fallen[nodes[0]]
    if name == "parallel":
        assert METHODS["max_violation"](trace) in nodes


@pytest.mark.parametrize("update", [name for name in METHODS if name not in ("skip", "standard")])
@pytest.mark.parametrize("width", [None, 2])
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_updates_are_bounded_by_radius_and_margin(update: str, width: int | None, seed: int) -> None:
    data = [make_forest(seed + i, nodes=4, edges=2, indicators=True) for i in range(2)]
    vectors = []
    for made in data:
        for node in range(made.nodes()):
            every = [(uses, made.vector(uses)) for uses in made.derivations(node)]
            for gold, phi in every:
                if not made.is_gold(gold):
                    continue
                for uses, other in every:
                    if not made.is_gold(uses):
                        names = {*phi, *other}
                        delta = {n: phi.get(n, 0.0) - other.get(n, 0.0) for n in names}
                        vectors.append({n: v for n, v in delta.items() if v})
    if not vectors or not all(vectors):
        return  # nothing to learn, or something that no weights can tell apart
    pairs = Differences(vectors)
    margin = maximal_margin(pairs).margin
    if margin <= 1e-6 or update == "parallel":
        limit = 10_000.0  # for several at a time the radius is another one
    else:
        limit = (pairs.radius / margin) ** 2
    updates = 0
    for epoch in train(
        [(made, made) for made in data], search=Forest(width), update=update, epochs=None, weights=Weights()
    ):
        updates += epoch.updates
        assert epoch.invalid == 0
        assert updates <= limit * (1 + 1e-9)
        if epoch.updates == 0 or margin <= 1e-6:
            break


def test_every_learner_and_schedule_trains_on_forests() -> None:
    data = [(made, made) for made in (make_forest(seed, indicators=True) for seed in range(6))]
    for learner in (Perceptron(), Perceptron(2.0), Mira(1), Mira(3, C=0.5)):
        for batch in (1, 4):
            search = Forest(3)
            first, *_, last = train(
                data, search=search, update="max_violation", learner=learner, epochs=6, batch=batch
            )
            assert last.errors <= first.errors
    with pytest.raises(SettingError, match="laso goes on from one bin to the next"):
        train(data, search=Forest(2), update="laso")


def test_parallel_needs_spans() -> None:
    class NoSpan:
        def __init__(self, made: RandomForest) -> None:
            for name in ("nodes", "group", "edges", "join", "features", "merge_key", "allows"):
                setattr(self, name, getattr(made, name))

    for seed in range(50):
        bare = NoSpan(make_forest(seed))
        trace = forest(bare, Weights({0: 1.0}), 2, bare)
        if is_violation(trace).any():
            with pytest.raises(TaskError, match="give it a method span"):
                METHODS["parallel"](trace)
            return
    raise AssertionError("no forest with a violation")
