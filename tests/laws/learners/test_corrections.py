"""Corrections do what their programme says: the smallest change by its KKT conditions, and what is kept."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.reference import Mira, Violation, Weights, decode, predict
from structron.reference.learners.closest import closest
from structron.reference.learners.hildreth import gram, hildreth
from structron.reference.learners.weights import SparseVector
from structron.reference.sequence.bins import is_gold
from structron.reference.sequence.correction import (
    ALIKE,
    CONTRADICTION,
    ILLEGAL,
    SLACK,
    UNSETTLED,
    correct,
)
from tests.graphs import Arc, GraphSpace, graphs, whole_weights


@st.composite
def programmes(draw: st.DrawFn, most: int = 6) -> tuple[list[SparseVector], list[float]]:
    """Constraints that do not contradict each other: each has a coordinate of its own."""
    numbers = st.integers(-3, 3)
    deltas: list[SparseVector] = []
    for j in range(draw(st.integers(1, most))):
        delta = {name: float(value) for name in range(4) if (value := draw(numbers))}
        deltas.append({**delta, 100 + j: 1.0})
    return deltas, [float(draw(st.integers(-9, 9))) for _ in deltas]


def lasting(delta: SparseVector, change: SparseVector) -> float:
    return sum(value * change.get(name, 0.0) for name, value in delta.items())


@given(programme=programmes())
@settings(max_examples=60, deadline=None)
def test_the_smallest_change_satisfies_the_kkt_conditions(
    programme: tuple[list[SparseVector], list[float]],
) -> None:
    deltas, lacking = programme
    found = closest(deltas, lacking, sweeps=20_000)
    for delta, short, alpha in zip(deltas, lacking, found.alphas):
        missed = short - lasting(delta, found.change)
        assert missed <= 1e-5  # every constraint is met
        assert alpha >= 0.0
        if alpha > 1e-6:
            assert missed == pytest.approx(0.0, abs=1e-5)  # and exactly, where the change goes along it
    total: SparseVector = {}
    for delta, alpha in zip(deltas, found.alphas):
        for name, value in delta.items():
            total[name] = total.get(name, 0.0) + alpha * value
    assert {k: v for k, v in total.items() if abs(v) > 1e-9} == pytest.approx(
        {k: v for k, v in found.change.items() if abs(v) > 1e-9}
    )


@given(programme=programmes())
@settings(max_examples=40, deadline=None)
def test_it_is_what_hildreth_finds_from_the_table_of_products(
    programme: tuple[list[SparseVector], list[float]],
) -> None:
    deltas, lacking = programme
    expected = hildreth(gram(deltas), lacking, math.inf)
    assert closest(deltas, lacking, sweeps=20_000).alphas == pytest.approx(expected, abs=1e-4)


@given(programme=programmes())
@settings(max_examples=60, deadline=None)
def test_the_engine_finds_the_same_change(programme: tuple[list[SparseVector], list[float]]) -> None:
    deltas, lacking = programme
    expected = closest(deltas, lacking)
    problem = _core.ClosestChange()
    for delta in deltas:
        values = np.array(list(delta.values()), np.float32)
        problem.add(np.array(list(delta), np.uint64), np.zeros(len(delta), np.uint32), values)
    assert problem.size == len(deltas)
    alphas, left, (key, column, value) = problem.solve(np.array(lacking), 1e-7, 1_000, np.empty(0))
    # From any start it is the same, up to how far it is solved.
    again, *_ = problem.solve(np.array(lacking), 1e-9, 20_000, np.ones(len(deltas)))
    assert again.tolist() == pytest.approx(closest(deltas, lacking, 1e-9, 20_000).alphas, abs=1e-4)
    assert alphas.tolist() == pytest.approx(expected.alphas, abs=1e-9)
    assert left.tolist() == pytest.approx(expected.lacking, abs=1e-9)
    assert not column.any()
    assert dict(zip(key.tolist(), value.tolist())) == pytest.approx(expected.change, abs=1e-9)


@given(programme=programmes(most=1))
def test_one_constraint_is_the_closed_form_of_mira(programme: tuple[list[SparseVector], list[float]]) -> None:
    (delta,), (short,) = programme
    expected = Mira().change([Violation(delta, short, 0.0)]) if short > 1e-3 else {}
    assert closest([delta], [short]).change == pytest.approx(expected)


@given(programme=programmes(), data=st.data())
@settings(max_examples=40, deadline=None)
def test_costs_are_a_change_of_units(
    programme: tuple[list[SparseVector], list[float]], data: st.DataObject
) -> None:
    """With weights in units of one over the root of their cost, all features cost the same."""
    deltas, lacking = programme
    names = sorted({name for delta in deltas for name in delta}, key=str)
    costs = {name: float(data.draw(st.sampled_from([1, 4, 9, 16]))) for name in names}
    scaled = [{name: value / costs[name] ** 0.5 for name, value in delta.items()} for delta in deltas]
    plain = closest(scaled, lacking, sweeps=5_000)
    priced = closest(deltas, lacking, sweeps=5_000, costs=costs)
    expected = {name: value / costs[name] ** 0.5 for name, value in plain.change.items()}
    assert {k: v for k, v in priced.change.items() if abs(v) > 1e-9} == pytest.approx(
        {k: v for k, v in expected.items() if abs(v) > 1e-9}, abs=1e-6
    )
    # No other change that meets the constraints costs less: not one that also moves along a difference.
    paid = sum(costs[name] * value**2 for name, value in priced.change.items())
    for delta in deltas:
        other = {n: priced.change.get(n, 0.0) + 1e-3 * delta.get(n, 0.0) for n in {*priced.change, *delta}}
        if all(lasting(d, other) >= short - 1e-9 for d, short in zip(deltas, lacking)):
            assert sum(costs[name] * value**2 for name, value in other.items()) >= paid - 1e-6


def test_a_feature_that_costs_more_moves_less() -> None:
    graph = line([("good", True), ("bad", False)])
    found = correct([(graph, graph)], [], Weights({"bad": 1.0}), costs={"bad": 3.0})
    assert found.change["good"] == pytest.approx(-3 * found.change["bad"])


def test_a_contradiction_is_left_short() -> None:
    found = closest([{"a": 1.0}, {"a": -1.0}], [1.0, 1.0], sweeps=50)
    assert not found.met(0.1)


@given(pieces=st.lists(graphs(), min_size=1, max_size=4), start=whole_weights(), split=st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_corrections_hold_by_the_margin_and_what_is_kept_stays_right(
    pieces: list[GraphSpace], start: Weights, split: int
) -> None:
    examples, kept = [(g, g) for g in pieces[:split]], [(g, g) for g in pieces[split:]]
    right = [e for e in kept if is_gold(e[1], predict(e[0], start, "exact"))]
    found = correct(examples, kept, start, search="exact", margin=1.0)
    now = Weights(dict(start.items()))
    now.add(found.change)
    for (space, oracle), reason in zip(examples, found.reasons):
        if not reason:
            # With the margin in the search gold is still the best: it is ahead of each by what is asked for.
            trace = decode(space, now, "exact", oracle, 1.0)
            assert trace.final < 0 or trace.best_is_gold[-1]
    for space, oracle in right:
        assert is_gold(oracle, predict(space, now, "exact"))
    # The change lies along the differences of the active set, none of which is pushed the wrong way.
    assert all(alpha >= 0.0 for alpha in found.alphas)
    for each, alpha in zip(found.constraints, found.alphas):
        assert lasting(each.delta, found.change) >= each.lacking - SLACK
        if alpha > 1e-6:
            assert lasting(each.delta, found.change) == pytest.approx(each.lacking, abs=SLACK)


@given(
    pieces=st.lists(graphs(), min_size=2, max_size=5),
    start=whole_weights(),
    split=st.integers(1, 4),
    rounds=st.integers(1, 3),
)
@settings(max_examples=60, deadline=None)
def test_what_is_kept_stays_right_where_the_rounds_run_out(
    pieces: list[GraphSpace], start: Weights, split: int, rounds: int
) -> None:
    examples, kept = [(g, g) for g in pieces[:split]], [(g, g) for g in pieces[split:]]
    right = [e for e in kept if is_gold(e[1], predict(e[0], start, "exact"))]
    found = correct(examples, kept, start, search="exact", margin=1.0, rounds=rounds)
    now = Weights(dict(start.items()))
    now.add(found.change)
    for space, oracle in right:
        assert is_gold(oracle, predict(space, now, "exact"))
    for (space, oracle), reason in zip(examples, found.reasons):
        assert reason or is_gold(oracle, predict(space, now, "exact"))


def test_a_correction_that_is_not_reached_is_given_up_and_the_others_hold() -> None:
    quick = line([("good", True), ("bad", False)])
    # Each round finds one more wrong action, which the one before has hidden.
    slow = line([("right", True), *((f"wrong{i}", False) for i in range(6))])
    start = Weights({"bad": 1.0} | {f"wrong{i}": 9.0 - i for i in range(6)})
    found = correct([(quick, quick), (slow, slow)], [], start, rounds=2)
    assert found.reasons == ["", UNSETTLED] and {*found.change} == {"good", "bad"}
    assert correct([(quick, quick), (slow, slow)], [], start).hold == 2


def line(*steps: list[tuple[str, bool]]) -> GraphSpace:
    """A graph in which every step offers actions, each with one feature; the flag says which are gold."""
    arcs = [
        tuple(Arc(a, i + 1, ((name, 1.0),), good) for a, (name, good) in enumerate(step))  # type: ignore[arg-type]
        for i, step in enumerate(steps)
    ]
    return GraphSpace(tuple(range(len(steps) + 1)), tuple(range(len(steps) + 1)), (*arcs, ()))


def test_what_is_right_by_the_margin_changes_nothing() -> None:
    graph = line([("good", True), ("bad", False)])
    found = correct([(graph, graph)], [], Weights({"good": 2.0}))
    assert (found.change, found.hold, found.rounds) == ({}, 1, 1)


def test_one_correction_is_the_closed_form() -> None:
    graph = line([("good", True), ("bad", False)])
    found = correct([(graph, graph)], [], Weights({"bad": 1.0}), margin=1.0)
    step = (1.0 + 1.0 + SLACK) / 2
    assert found.change == pytest.approx({"good": step, "bad": -step})


def test_gold_with_the_features_of_a_wrong_output_is_named() -> None:
    graph = line([("same", True), ("same", False)])
    assert correct([(graph, graph)], [], Weights({})).reasons in ([ALIKE], [""])
    twice = line([("same", False), ("same", True)])
    assert correct([(twice, twice)], [], Weights({})).reasons == [ALIKE]


def test_gold_that_no_derivation_yields_is_named() -> None:
    graph = line([("a", False), ("b", False)])
    assert correct([(graph, graph)], [], Weights({"a": 1.0})).reasons == [ILLEGAL]


def test_what_contradicts_what_is_kept_is_named_and_changes_nothing() -> None:
    kept, wrong = line([("a", True), ("b", False)]), line([("a", False), ("b", True)])
    found = correct([(wrong, wrong)], [(kept, kept)], Weights({"a": 1.0}))
    assert (found.reasons, found.change) == ([CONTRADICTION], {})


def test_what_was_wrong_before_asks_for_nothing() -> None:
    kept, wrong = line([("a", True), ("b", False)]), line([("a", False), ("b", True)])
    found = correct([(wrong, wrong)], [(kept, kept)], Weights({"b": 0.5}))
    assert found.hold == 1
