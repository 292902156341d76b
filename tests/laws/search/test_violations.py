"""Laws of the update methods: which rows they name, and that all but `standard` name only violations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from structron.reference import (
    METHODS,
    Trace,
    beam,
    early,
    exact,
    excess,
    fall_off,
    hybrid,
    laso,
    latest,
    max_violation,
    skip,
    standard,
    violation,
)
from structron.reference.learners.violations import is_violation
from structron.reference.learners.weights import Weights
from tests.graphs import Arc, GraphSpace, graphs, searches, whole_weights, withins

Search = tuple[int | None, bool]
PREFIX_METHODS = [name for name in METHODS if name != "standard"]


def inner(weights: Weights, trace: Trace, step: int) -> float:
    """w · ΔΦ, with ΔΦ summed by hand from whole paths."""
    graph = trace.space
    gold, guess = graph.vector(trace.gold(step).actions), graph.vector(trace.best(step).actions)
    return weights.score(gold) - weights.score(guess)


@pytest.mark.parametrize("name", PREFIX_METHODS)
@given(graph=graphs(futures=True), weights=whole_weights(), search=searches(), within=withins())
def test_a_method_returns_only_violations(
    name: str, graph: GraphSpace, weights: Weights, search: Search, within: float
) -> None:
    trace = beam(graph, weights, *search, graph, within=within)
    step = METHODS[name](trace)
    if step is not None:
        assert not graph.is_gold(trace.best(step).actions)
        assert graph.is_gold(trace.gold(step).actions)
        assert graph.step(trace.best(step).states[-1]) == graph.step(trace.gold(step).states[-1])
        assert inner(weights, trace, step) <= 0.0
        found = violation(trace, step)
        assert found.excess == -inner(weights, trace, step) == -weights.score(found.delta)
        assert 0.0 not in found.delta.values()
        assert found.loss >= 1.0


@given(graphs(futures=True), whole_weights(), searches())
def test_laso_fixes_only_violations_each_under_the_weights_of_its_moment(
    graph: GraphSpace, weights: Weights, search: Search
) -> None:
    now = weights.copy()
    for fixed in laso(graph, graph, weights, ("beam", search[0] or 10_000, search[1])):
        assert now.score(fixed.delta) == -fixed.excess <= 0.0
        now.add(fixed.delta)
    assert now == weights


@given(graphs(), whole_weights())
def test_with_exact_search_every_row_is_valid_so_standard_is_too(graph: GraphSpace, weights: Weights) -> None:
    trace = exact(graph, weights, graph)
    amounts = excess(trace)
    assert np.all((amounts >= 0) | np.isnan(amounts))
    step = standard(trace)
    assert step is None or violation(trace, step).excess >= 0
    assert (step is None) == trace.best_is_gold[-1]
    assert hybrid(trace) == step


@given(graphs(many_gold=False), whole_weights(), searches())
def test_with_one_gold_derivation_a_wrong_output_is_always_fixed(
    graph: GraphSpace, weights: Weights, search: Search
) -> None:
    trace = beam(graph, weights, *search, graph)
    if not trace.best_is_gold[-1]:
        assert all(find(trace) is not None for name, find in METHODS.items() if name != "skip")
        assert skip(trace) == (trace.final if is_violation(trace)[-1] else None)
        assert early(trace) == (trace.final if fall_off(trace) is None else fall_off(trace))
    else:
        # Only max-violation looks at the prefixes of a right output.
        assert [name for name, find in METHODS.items() if find(trace) is not None] in (
            [],
            ["max_violation", "parallel"],
        )


@given(graphs(), whole_weights(), searches())
def test_gold_that_fell_off_never_comes_back(graph: GraphSpace, weights: Weights, search: Search) -> None:
    """So a right output means that gold never fell off, also when derivations skip steps."""
    trace = beam(graph, weights, *search, graph)
    assert list(trace.gold_in_beam) == sorted(trace.gold_in_beam, reverse=True)
    assert all(alive for row, alive in zip(trace.beams, trace.gold_in_beam) if any(item.good for item in row))
    if trace.best_is_gold[-1]:
        assert fall_off(trace) is None
        assert early(trace) is latest(trace) is hybrid(trace) is standard(trace) is None


@given(graphs(), whole_weights(), searches())
def test_the_methods_lie_in_the_order_of_figure_3(
    graph: GraphSpace, weights: Weights, search: Search
) -> None:
    trace = beam(graph, weights, *search, graph)
    first, last = early(trace), latest(trace)
    assert (first is None) == (last is None)
    if first is not None and last is not None:
        assert first <= last
        most = max_violation(trace)
        assert most is not None
        amounts = excess(trace)
        assert amounts[most] >= max(amounts[first], amounts[last])
        # The latest violation is followed by none.
        later = slice(last + 1, None)
        assert not np.any(~trace.best_is_gold[later] & (amounts[later] >= 0))
    assert hybrid(trace) in (standard(trace), first)


@given(graphs(), whole_weights(), searches())
def test_of_equal_violations_max_violation_takes_the_later(
    graph: GraphSpace, weights: Weights, search: Search
) -> None:
    trace = beam(graph, weights, *search, graph)
    step = max_violation(trace)
    amounts = [
        amount
        for amount, right in zip(excess(trace), trace.best_is_gold)
        if not right and not np.isnan(amount) and amount >= 0
    ]
    if step is None:
        assert not amounts
    else:
        assert excess(trace)[step] == max(amounts)
        assert not np.any((excess(trace)[step + 1 :] == max(amounts)) & ~trace.best_is_gold[step + 1 :])


@given(graphs(), whole_weights(), searches())
def test_without_an_oracle_nothing_is_gold_and_nothing_is_fixed(
    graph: GraphSpace, weights: Weights, search: Search
) -> None:
    trace = beam(graph, weights, *search)
    assert np.isnan(trace.gold_score).all() and not trace.gold_in_beam.any()
    assert all(find(trace) is None for find in METHODS.values())


def test_standard_can_be_invalid_where_the_others_are_not() -> None:
    """Hypothesis would find this too; here it is by hand: gold is pruned first and preferred at the end."""
    graph = GraphSpace(
        steps=(0, 1, 1, 2, 2),
        keys=(0, 0, 1, 0, 1),
        arcs=(
            (Arc(0, 1, ((0, 1.0),), False), Arc(1, 2, (), True)),
            (Arc(0, 3, (), False),),
            (Arc(0, 4, ((1, 1.0),), True),),
            (),
            (),
        ),
    )
    weights = Weights({0: 1.0, 1: 5.0})
    trace = beam(graph, weights, 1, False, graph)
    assert list(excess(trace)) == [1.0, -4.0]
    assert standard(trace) == 1 and violation(trace, 1).excess == -4.0
    assert early(trace) == hybrid(trace) == latest(trace) == max_violation(trace) == 0


def test_early_makes_no_update_where_the_model_prefers_a_gold_path_that_search_lost() -> None:
    """Two gold paths: the first leaves the beam of 2 at once and would win, the second leaves later."""
    graph = GraphSpace(
        steps=(0, 1, 1, 1, 2),
        keys=(0, 0, 1, 2, 0),
        arcs=(
            (Arc(0, 1, (), True), Arc(1, 2, ((0, 1.0),), True), Arc(2, 3, ((0, 2.0),), False)),
            (Arc(0, 4, ((0, 5.0),), True),),
            (Arc(0, 4, (), True),),
            (Arc(0, 4, ((0, 1.0),), False), Arc(1, 4, (), False)),
            (),
        ),
    )
    trace = beam(graph, Weights({0: 1.0}), 2, False, graph)
    assert list(trace.best_score) == [2.0, 3.0] and list(trace.gold_score) == [1.0, 5.0]
    assert fall_off(trace) == 1
    assert early(trace) is latest(trace) is hybrid(trace) is None
    assert max_violation(trace) == 0 and standard(trace) == 1 and violation(trace, 1).excess == -2.0
