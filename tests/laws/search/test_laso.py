"""LaSO with a beam of one is a local classifier trained on gold history (Huang et al. 2012, Section 7)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.errors import SettingError
from structron.reference import early, laso, max_violation, train
from structron.reference.learners.weights import Weights
from tests.graphs import Arc, GraphSpace, graphs, make_graph


def local_perceptron(data: list[GraphSpace], epochs: int) -> dict[int, float]:
    """A multiclass perceptron over single decisions with gold history; it shares no code with LaSO."""
    w: dict[int, float] = {}
    for _ in range(epochs):
        for graph in data:
            state = 0
            while graph.arcs[state]:
                ranked = [
                    (sum(w.get(name, 0.0) * value for name, value in arc.features), arc)
                    for arc in graph.arcs[state]
                ]
                guess = max(ranked, key=lambda pair: pair[0])[1]
                gold = next(arc for arc in graph.arcs[state] if arc.good)
                if guess is not gold:
                    for arc, sign in ((gold, 1), (guess, -1)):
                        for name, value in arc.features:
                            w[name] = w.get(name, 0.0) + sign * value
                state = gold.target
    return {name: value for name, value in w.items() if value != 0.0}


@given(st.lists(graphs(many_gold=False, skip=1, steps=5), min_size=1, max_size=4), st.integers(1, 4))
def test_laso_with_a_beam_of_one_is_a_local_perceptron(data: list[GraphSpace], epochs: int) -> None:
    *_, last = train([(graph, graph) for graph in data], search="greedy", update="laso", epochs=epochs)
    assert dict(last.weights.items()) == local_perceptron(data, epochs)


@given(
    graphs(many_gold=False),
    st.sampled_from([("beam", 1, False), ("beam", 2, False), ("beam", 2, True), "exact"]),
)
def test_the_first_update_of_laso_is_the_early_update(graph: GraphSpace, search: object) -> None:
    by_laso, by_early = Weights(), Weights()
    fixed = laso(graph, graph, by_laso, search)  # type: ignore[arg-type]
    (epoch,) = train([(graph, graph)], search=search, update="early", epochs=1, weights=by_early)  # type: ignore[arg-type]
    first = Weights(fixed[0].delta if fixed else {})
    assert first == by_early
    assert bool(fixed) == (epoch.updates == 1)


def chain(length: int) -> GraphSpace:
    """`length` times the same choice between a wrong action 0 and gold 1, with a feature for each place."""
    arcs: list[tuple[Arc, ...]] = []
    for place in range(length):
        wrong, gold = ((2 * place, 1.0),), ((2 * place + 1, 1.0),)
        arcs.append((Arc(0, place + 1, wrong, False), Arc(1, place + 1, gold, True)))
    return GraphSpace(tuple(range(length + 1)), (0,) * (length + 1), (*arcs, ()))


def test_laso_goes_on_after_an_update_where_early_stops() -> None:
    weights = Weights()
    fixed = laso(chain(3), chain(3), weights, "greedy")
    assert [sorted(each.delta.items()) for each in fixed] == [
        [(0, -1.0), (1, 1.0)],
        [(2, -1.0), (3, 1.0)],
        [(4, -1.0), (5, 1.0)],
    ]
    assert weights.counter == 2, "one example is one tick, however many updates it had"
    (epoch,) = train([(chain(3), chain(3))], search="greedy", update="early", epochs=1)
    assert (epoch.updates, epoch.errors, epoch.early_stopped) == (1, 1, 1)
    (epoch,) = train([(chain(3), chain(3))], search="greedy", update="laso", epochs=1)
    assert (epoch.updates, epoch.errors, epoch.early_stopped, epoch.invalid) == (3, 1, 1, 0)


def test_laso_makes_a_full_update_when_gold_stays_in_but_loses() -> None:
    graph = chain(1)
    fixed = laso(graph, graph, Weights(), ("beam", 2, False))
    assert [each.delta for each in fixed] == [{0: -1.0, 1: 1.0}]


def test_laso_has_no_global_form() -> None:
    with pytest.raises(SettingError, match=r"laso updates while it searches .*; use schedule='local'"):
        train([], search="greedy", update="laso", schedule="global")


def test_skip_correct_leaves_right_outputs_alone() -> None:
    """Max-violation may update on a right output; early never does."""
    touched = 0
    for seed in range(100):
        graph = make_graph(random.Random(seed), steps=4)
        weights = Weights({name: float(random.Random(seed + name).randint(-2, 2)) for name in range(6)})
        for skip in (False, True):
            (epoch,) = train(
                [(graph, graph)],
                search=("beam", 3, False),
                update=max_violation,
                epochs=1,
                weights=weights.copy(),
                skip_correct=skip,
            )
            if epoch.errors == 0:
                touched += epoch.updates
                assert not (skip and epoch.updates)
        (epoch,) = train([(graph, graph)], search=("beam", 3, False), update=early, epochs=1, weights=weights)
        assert epoch.updates == epoch.errors
    assert touched > 0
