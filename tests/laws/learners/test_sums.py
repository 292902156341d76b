"""Sums over all outputs: what theory says of log Z, of marginals, of their gradient, and of its limits."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from structron.reference import (
    CRF,
    Mira,
    Violation,
    compare,
    decode,
    exact,
    expected,
    lattice,
    shortfall,
    train,
)
from structron.reference.learners.gradient import SSVM
from structron.reference.learners.weights import Weights
from tests.graphs import GraphSpace, graphs, whole_weights

COLD = 1e-3


def outputs(graph: GraphSpace) -> list[tuple[int, ...]]:
    return [actions for actions in graph.derivations() if graph.is_final(graph.walk(actions)[-1])]


def log_likelihood(graph: GraphSpace, weights: Weights, temperature: float = 1.0) -> float:
    return -shortfall(graph, graph, weights, temperature)[0].loss


@given(graph=graphs(), weights=whole_weights(), temperature=st.sampled_from([0.5, 1.0, 4.0]))
@settings(max_examples=80, deadline=None)
def test_sums_over_the_lattice_are_sums_over_all_outputs(
    graph: GraphSpace, weights: Weights, temperature: float
) -> None:
    amounts = {y: math.exp(weights.score(graph.vector(y)) / temperature) for y in outputs(graph)}
    total = sum(amounts.values())
    features, log_total = expected(graph, weights, None, temperature)
    assert log_total == pytest.approx(math.log(total), abs=1e-9)
    by_hand: dict[int, float] = {}
    for y, amount in amounts.items():
        for name, value in graph.vector(y).items():
            by_hand[name] = by_hand.get(name, 0.0) + value * amount / total
    assert {n: x for n, x in features.items() if abs(x) > 1e-9} == pytest.approx(
        {n: x for n, x in by_hand.items() if abs(x) > 1e-9}
    )
    gold = sum(amount for y, amount in amounts.items() if graph.is_gold(y))
    assert log_likelihood(graph, weights, temperature) == pytest.approx(math.log(gold / total), abs=1e-9)


@given(graph=graphs(), weights=whole_weights())
@settings(max_examples=60, deadline=None)
def test_marginals_are_probabilities_that_flow_through_every_node(
    graph: GraphSpace, weights: Weights
) -> None:
    sums = lattice(graph, weights)
    into: dict[object, float] = {}
    out: dict[object, float] = {}
    for arc, probability in sums.marginals():
        assert -1e-12 <= probability <= 1 + 1e-9
        into[arc.end] = into.get(arc.end, 0.0) + probability
        out[arc.begin] = out.get(arc.begin, 0.0) + probability
    first = next(iter(sums.arcs)).begin
    assert out[first] == pytest.approx(1.0)
    assert sum(p for node, p in into.items() if node not in out) == pytest.approx(1.0)
    assert all(out[node] == pytest.approx(p, abs=1e-9) for node, p in into.items() if node in out)


@given(graph=graphs(), weights=whole_weights())
@settings(max_examples=40, deadline=None)
def test_gold_minus_expected_is_the_gradient_of_the_log_likelihood(
    graph: GraphSpace, weights: Weights
) -> None:
    (found,) = shortfall(graph, graph, weights)
    for name in range(6):
        up, down = weights.copy(), weights.copy()
        up.add({name: 1e-4})
        down.add({name: -1e-4})
        slope = (log_likelihood(graph, up) - log_likelihood(graph, down)) / 2e-4
        assert found.delta.get(name, 0.0) == pytest.approx(slope, abs=1e-5)


@given(graph=graphs(many_gold=False), weights=whole_weights())
@settings(max_examples=60, deadline=None)
def test_a_cold_crf_makes_the_standard_update_of_the_perceptron(graph: GraphSpace, weights: Weights) -> None:
    best = sorted((weights.score(graph.vector(y)) for y in outputs(graph)), reverse=True)
    assume(len(best) == 1 or best[0] > best[1])
    trace = exact(graph, weights, graph)
    pair = compare(graph, trace.gold(trace.final), trace.best(trace.final))
    (found,) = shortfall(graph, graph, weights, COLD)
    assert found.excess == pytest.approx(pair.excess, abs=1e-6)
    assert {n: x for n, x in found.delta.items() if abs(x) > 1e-6} == pytest.approx(dict(pair.delta))


def objective(examples: list[GraphSpace], weights: Weights, c2: float, learner: str) -> float:
    total = c2 * weights.norm() ** 2
    for graph in examples:
        if learner == "crf":
            total -= log_likelihood(graph, weights)
            continue
        score = {y: weights.score(graph.vector(y)) for y in outputs(graph)}
        gold = next(s for y, s in score.items() if graph.is_gold(y))
        total += max(s + hamming(graph, y) - gold for y, s in score.items())
    return total


def hamming(graph: GraphSpace, actions: tuple[int, ...]) -> int:
    return sum(not graph.allows(state, action) for state, action in zip(graph.walk(actions), actions))


def scaled(weights: Weights, by: float) -> Weights:
    return Weights({name: value * by for name, value in weights.items()})


@pytest.mark.parametrize("learner", ["crf", "ssvm"])
@given(data=st.lists(graphs(many_gold=False, steps=2, classes=2), min_size=2, max_size=4))
@settings(max_examples=8, deadline=None)
def test_adding_up_is_the_step_of_a_stochastic_gradient(data: list[GraphSpace], learner: str) -> None:
    """v / T moves as w does: shrunk by λ times the step, then moved by the step times ΔΦ."""
    c2, step, n = 0.5, 0.25, len(data)
    made = CRF(c2, step, n) if learner == "crf" else SSVM(c2, step, n)
    v = Weights()
    pairs = [(graph, graph) for graph in data]
    before = Weights()
    for seen, pair in enumerate(pairs):
        for _ in train([pair], search="exact", update="standard", learner=made, epochs=1, weights=v):
            pass
        after = scaled(v, 1 / made.grown(seen + 1))
        length, decay = 1 / made.grown(seen + 1), 2 * c2 / n
        if learner == "crf":
            move = shortfall(pair[0], pair[1], before)[0].delta
        else:
            trace = decode(pair[0], before, "exact", pair[0], 1.0)
            ranked = sorted(before.score(pair[0].vector(y)) + hamming(pair[0], y) for y in outputs(pair[0]))
            assume(len(ranked) == 1 or ranked[-1] - ranked[-2] > 1e-6)  # or rounding decides
            move = compare(pair[0], trace.gold(trace.final), trace.best(trace.final)).delta
        expected_weights = scaled(before, 1 - length * decay)
        expected_weights.add(move, length)
        # A weight of 0 is not there, but rounding may have left something else in its place.
        names = {name for weights in (after, expected_weights) for name, _ in weights.items()}
        assert [after[n] for n in names] == pytest.approx([expected_weights[n] for n in names], abs=1e-9)
        before = after


@pytest.mark.parametrize("learner", ["crf", "ssvm"])
@given(data=st.lists(graphs(many_gold=False, steps=2, classes=2), min_size=2, max_size=3))
@settings(max_examples=5, deadline=None)
def test_the_average_approaches_the_optimum(data: list[GraphSpace], learner: str) -> None:
    """No point around the average is better by more than a little: the objectives are convex."""
    c2, step, n, epochs = 0.5, 0.25, len(data), 300
    made = CRF(c2, step, n) if learner == "crf" else SSVM(c2, step, n)
    v = Weights()
    pairs = [(graph, graph) for graph in data]
    for _ in train(pairs, search="exact", update="standard", learner=made, epochs=epochs, weights=v):
        pass
    mean = scaled(v.averaged(), 1 / (1 / step + c2 * epochs))
    value = objective(data, mean, c2, learner)
    for name in range(6):
        for move in (-0.1, 0.1):
            near = mean.copy()
            near.add({name: move})
            assert objective(data, near, c2, learner) > value - 0.02 * max(1.0, value)


@given(data=st.lists(graphs(many_gold=False, steps=1, features=4), min_size=2, max_size=4))
@settings(max_examples=25, deadline=None)
def test_mira_over_one_batch_of_everything_is_the_svm(data: list[GraphSpace]) -> None:
    """From zero, all guesses of all examples as constraints: the least |w|² that meets them, as the SVM's."""
    zero = Weights()
    found = []
    for number, graph in enumerate(data):
        gold = next(y for y in outputs(graph) if graph.is_gold(y))
        for guess in outputs(graph):
            if guess == gold:
                continue
            names = {*graph.vector(gold), *graph.vector(guess)}
            delta = {
                name: graph.vector(gold).get(name, 0.0) - graph.vector(guess).get(name, 0.0) for name in names
            }
            found.append(
                Violation({n: x for n, x in delta.items() if x}, 0.0, float(hamming(graph, guess)), number)
            )
    assume(found and all(each.delta for each in found))
    C = 1.0
    weights = zero.copy()
    weights.add(Mira(k=len(found), C=C).change(found))
    # Where each example has one rival, the cap is the SVM's, and C = 1 / (2 c2).
    alone = all(len(outputs(graph)) == 2 for graph in data)
    alphas = Mira(k=len(found), C=C).alphas(found)
    for alpha, each in zip(alphas, found):
        slack = each.loss - weights.score(each.delta)
        assert alpha > 1e-6 or slack <= 1e-3  # met, or worth something
        assert alpha < C - 1e-6 or slack >= -1e-3
        assert not 1e-6 < alpha < C - 1e-6 or abs(slack) <= 1e-3
    if alone and len(data) == len(found):
        v = Weights()
        made = SSVM(0.5, 0.25, len(data))
        pairs = [(graph, graph) for graph in data]
        for _ in train(pairs, search="exact", update="standard", learner=made, epochs=300, weights=v):
            pass
        mean = scaled(v.averaged(), 1 / (4 + 0.5 * 300))
        best = objective(data, weights, 0.5, "ssvm")
        assert best - 1e-6 <= objective(data, mean, 0.5, "ssvm") <= best + 0.05 * max(1.0, best)
