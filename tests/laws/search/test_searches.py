"""Laws of search: exact is exact, a wide merged beam equals it, greedy is a beam of 1, k-best is complete."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from structron.reference import Trace, beam, exact, greedy
from structron.reference.learners.weights import Weights
from tests.graphs import GraphSpace, graphs, searches, whole_weights, withins


def score(graph: GraphSpace, weights: Weights, actions: tuple[int, ...]) -> float:
    return weights.score(graph.vector(actions))


def outputs(graph: GraphSpace) -> list[tuple[int, ...]]:
    return [each for each in graph.derivations() if graph.is_final(graph.walk(each)[-1])]


def same(one: Trace, other: Trace) -> bool:
    """Equal item by item: states, scores, back-pointers, good marks."""
    return one.beams == other.beams and one.gold_beams == other.gold_beams


@given(graphs(), whole_weights())
def test_exact_finds_the_best_score_of_every_step_and_the_best_gold(
    graph: GraphSpace, weights: Weights
) -> None:
    trace = exact(graph, weights, graph)
    best: dict[int, list[float]] = defaultdict(list)
    gold: dict[int, list[float]] = defaultdict(list)
    for actions in graph.derivations():
        row = graph.step(graph.walk(actions)[-1]) - 1
        best[row].append(score(graph, weights, actions))
        if graph.is_gold(actions):
            gold[row].append(score(graph, weights, actions))
    for row in range(trace.final + 1):
        expected = max(best[row], default=np.nan), max(gold[row], default=np.nan)
        np.testing.assert_array_equal((trace.best_score[row], trace.gold_score[row]), expected)


@given(graphs(), whole_weights())
def test_exact_equals_a_backward_viterbi(graph: GraphSpace, weights: Weights) -> None:
    @cache
    def to_go(state: int) -> float:
        gains = (weights.score(arc.features) + to_go(arc.target) for arc in graph.arcs[state])
        return max(gains, default=0.0)

    assert exact(graph, weights).best_score[-1] == to_go(0)


@given(graphs(), whole_weights())
def test_a_merged_beam_as_wide_as_the_space_equals_exact_ties_included(
    graph: GraphSpace, weights: Weights
) -> None:
    assert same(beam(graph, weights, len(graph.steps), True, graph), exact(graph, weights, graph))


@given(graphs(), whole_weights())
def test_greedy_is_a_beam_of_one(graph: GraphSpace, weights: Weights) -> None:
    trace = greedy(graph, weights, graph)
    assert same(trace, beam(graph, weights, 1, False, graph))
    assert same(trace, beam(graph, weights, 1, True, graph))


@given(graphs(skip=1), whole_weights())
def test_greedy_takes_the_best_next_action_of_equals_the_lowest(graph: GraphSpace, weights: Weights) -> None:
    trace = greedy(graph, weights)
    state = 0
    for action in trace.best(trace.final).actions:
        gains = {arc.action: weights.score(arc.features) for arc in graph.arcs[state]}
        assert action == min(gains, key=lambda each: (-gains[each], each))
        state = graph.advance(state, action)


@given(graphs(), whole_weights(), searches())
def test_rows_are_in_order_within_width_and_their_paths_are_real(
    graph: GraphSpace, weights: Weights, search: tuple[int | None, bool]
) -> None:
    width, merge = search
    trace = beam(graph, weights, width, merge, graph)
    for row, items in enumerate(trace.beams):
        assert [item.order for item in items] == sorted(item.order for item in items)
        assert width is None or len(items) <= width
        keys = [graph.merge_key(item.state) for item in items]
        assert not merge or len(set(keys)) == len(keys)
        if items:
            path = trace.best(row)
            assert path.score == score(graph, weights, path.actions)
            assert list(path.states) == graph.walk(path.actions)
            assert items[0].good == graph.is_gold(path.actions)
        if trace.golds[row] is not None:
            gold = trace.gold(row)
            assert graph.is_gold(gold.actions) and gold.score == score(graph, weights, gold.actions)


@given(graphs(many_gold=False), whole_weights(), searches())
def test_the_gold_side_of_a_single_derivation_is_that_derivation(
    graph: GraphSpace, weights: Weights, search: tuple[int | None, bool]
) -> None:
    trace = beam(graph, weights, *search, graph)
    (gold,) = (each for each in outputs(graph) if graph.is_gold(each))
    assert trace.gold(trace.final).actions == gold
    on_rows = {graph.step(state) - 1 for state in graph.walk(gold)[1:]}
    assert [item is not None for item in trace.golds] == [row in on_rows for row in range(trace.final + 1)]


@given(graphs(), whole_weights(), st.integers(1, 12))
def test_kbest_of_exact_search_is_the_top_of_all_outputs(graph: GraphSpace, weights: Weights, k: int) -> None:
    trace = exact(graph, weights)
    paths = trace.kbest(k)
    everything = sorted((score(graph, weights, each) for each in outputs(graph)), reverse=True)
    assert [path.score for path in paths] == everything[:k]
    assert len({path.actions for path in paths}) == len(paths)
    assert all(path.score == score(graph, weights, path.actions) for path in paths)
    assert all(list(path.states) == graph.walk(path.actions) for path in paths)
    # The first is the best of the search itself, and a longer list only goes on.
    assert paths[0] == trace.best(trace.final)
    assert trace.kbest(k + 3)[:k] == paths


@given(graphs(), whole_weights(), st.integers(1, 5), st.booleans())
def test_kbest_of_a_beam_is_its_last_row(
    graph: GraphSpace, weights: Weights, width: int, merge: bool
) -> None:
    trace = beam(graph, weights, width, merge)
    paths = trace.kbest(3)
    assert [path.states[-1] for path in paths] == [item.state for item in trace.beams[-1][:3]]
    assert paths[0] == trace.best(trace.final)
    assert [path.score for path in paths] == [score(graph, weights, path.actions) for path in paths]


@given(graphs(members=1), whole_weights())
def test_kbest_without_anything_to_merge_agrees_between_exact_and_a_wide_beam(
    graph: GraphSpace, weights: Weights
) -> None:
    everything = len(outputs(graph))
    wide = beam(graph, weights, 10_000, False).kbest(everything)
    lattice = exact(graph, weights).kbest(everything)
    assert {path.actions for path in wide} == {path.actions for path in lattice}
    assert [path.score for path in wide] == [path.score for path in lattice]


@given(graphs(), whole_weights(), searches(), withins())
def test_a_row_keeps_what_is_close_to_its_best_and_the_best_itself(
    graph: GraphSpace, weights: Weights, search: tuple[int | None, bool], within: float
) -> None:
    plain, close = beam(graph, weights, *search, graph), beam(graph, weights, *search, graph, within=within)
    for row in close.beams:
        assert all(item.score >= row[0].score - within for item in row)
    if all(row[-1].score >= row[0].score - within for row in plain.beams if row):
        assert same(plain, close)  # nothing was too far behind
    assert close.gold_beams == plain.gold_beams
