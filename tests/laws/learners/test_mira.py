"""MIRA does what its optimisation problem says: closed form, KKT conditions, cap, and the special cases."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from structron.reference import Mira, Violation, beam, find, train
from structron.reference.learners.hildreth import ROUNDS, gram, hildreth, simplex
from structron.reference.learners.violations import METHODS
from structron.reference.learners.weights import Weights
from structron.reference.sequence.violation_finder import choose
from tests.graphs import GraphSpace, graphs, searches, whole_weights

CAPS = st.sampled_from([math.inf, 0.05, 0.5, 3.0])


@st.composite
def constraints(draw: st.DrawFn, most: int = 6) -> list[Violation]:
    """Violations that need not come from anywhere, but are independent of each other."""
    numbers = st.integers(-3, 3)
    found = []
    for j in range(draw(st.integers(1, most))):
        delta = {name: float(value) for name in range(5) if (value := draw(numbers))}
        # A coordinate of its own keeps hard constraints from contradicting each other.
        found.append(
            Violation(delta | {100 + j: 1.0}, float(draw(st.integers(-9, 9))), float(draw(st.integers(0, 5))))
        )
    return found


@given(violations=constraints(most=1), C=CAPS, augmented=st.booleans())
def test_one_constraint_has_the_closed_form(violations: list[Violation], C: float, augmented: bool) -> None:
    (v,) = violations
    size = sum(x * x for x in v.delta.values())
    short = v.excess if augmented else v.excess + v.loss
    step = min(C, max(0.0, short / size))
    found = Mira(C=C, augmented=augmented).change(violations)
    assert found == {name: step * x for name, x in v.delta.items() if step * x != 0.0}


@given(violations=constraints(), C=st.sampled_from([0.05, 0.5, 3.0]))
def test_squared_slack_is_a_hard_constraint_with_a_coordinate_of_its_own(
    violations: list[Violation], C: float
) -> None:
    """PA-II: C ξ² is the length of a move along one more coordinate of 1/√2C, which nothing else has."""
    own = [
        Violation(v.delta | {200 + j: math.sqrt(0.5 / C)}, v.excess, v.loss) for j, v in enumerate(violations)
    ]
    found = Mira(len(own), C, squared=True).alphas(violations)
    assert found == pytest.approx(Mira(len(own)).alphas(own), abs=1e-6)


@given(violations=constraints(), C=CAPS)
@settings(max_examples=100, deadline=None)
def test_k_constraints_satisfy_the_kkt_conditions(violations: list[Violation], C: float) -> None:
    learner = Mira(k=len(violations), C=C)
    alphas = learner.alphas(violations)
    change = learner.change(violations)
    assert all(0.0 <= alpha <= C for alpha in alphas)
    for alpha, v in zip(alphas, violations):
        # By how much the constraint is missed after the move.
        missed = learner.short(v) - sum(x * change.get(name, 0.0) for name, x in v.delta.items())
        if alpha < C:
            assert missed <= 1e-6
        if alpha > 0.0:
            assert missed >= -1e-6
    # Stationarity is in the form of the change.
    total = sum(alpha * sum(v.delta.values()) for alpha, v in zip(alphas, violations))
    assert sum(change.values()) == pytest.approx(total, abs=1e-6)


@given(violations=constraints())
def test_after_the_move_every_hard_constraint_is_met_and_met_ones_move_nothing(
    violations: list[Violation],
) -> None:
    learner = Mira(k=len(violations))
    change = learner.change(violations)
    for v in violations:
        gain = sum(x * change.get(name, 0.0) for name, x in v.delta.items()) - v.excess
        assert gain >= v.loss - 1e-6
    if all(learner.short(v) <= 0 for v in violations):
        assert change == {}
        assert learner.excess(violations) is None


@given(violations=constraints(most=1), C=CAPS)
def test_hildreth_with_one_constraint_is_the_closed_form(violations: list[Violation], C: float) -> None:
    (v,) = violations
    b = v.excess + v.loss
    assert hildreth(gram([v.delta]), [b], C) == pytest.approx(Mira(C=C).alphas(violations), abs=1e-9)


def test_constraints_that_contradict_each_other_end_all_the_same() -> None:
    violations = [Violation({0: 1.0}, 1.0, 1.0), Violation({0: -1.0}, 1.0, 1.0)]
    assert len(Mira(k=2).alphas(violations)) == 2
    assert Mira(k=2, C=1.0).alphas(violations) == [1.0, 1.0]
    assert hildreth([[0.0]], [1.0], math.inf) == [0.0]
    assert ROUNDS > 1000


@given(violations=constraints())
@settings(max_examples=100, deadline=None)
def test_the_simplex_solution_is_optimal(violations: list[Violation]) -> None:
    A = gram([v.delta for v in violations])
    b = [v.excess + v.loss for v in violations]
    gamma = simplex(A, b)
    assert min(gamma) >= 0.0
    assert sum(gamma) == pytest.approx(1.0)
    slope = [x - sum(g * a for g, a in zip(gamma, row)) for x, row in zip(b, A)]
    # No weight can be moved to where it would do more.
    assert max(slope) <= min(s for s, g in zip(slope, gamma) if g > 0.0) + 1e-6


@given(
    data=st.lists(graphs(), min_size=1, max_size=3),
    search=searches(),
    update=st.sampled_from([*METHODS, "laso"]),
    C=CAPS,
    augmented=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_no_update_of_mira_is_invalid_and_every_one_moves(
    data: list[GraphSpace], search: tuple[int | None, bool], update: str, C: float, augmented: bool
) -> None:
    width, merge = search
    weights = Weights()
    choice = "exact" if width is None else ("beam", width, merge)
    learner = Mira(1 if width is None else 3, C, augmented)
    examples = [(graph, graph) for graph in data]
    before = dict(weights.items())
    for epoch in train(examples, search=choice, update=update, learner=learner, epochs=3, weights=weights):  # type: ignore[arg-type]
        assert epoch.invalid == 0
        if dict(weights.items()) != before:
            assert epoch.updates > 0
        before = dict(weights.items())


@given(graph=graphs(), weights=whole_weights(), search=searches(), update=st.sampled_from(list(METHODS)))
@settings(max_examples=100, deadline=None)
def test_the_constraints_are_the_k_best_of_the_chosen_row_without_gold(
    graph: GraphSpace, weights: Weights, search: tuple[int | None, bool], update: str
) -> None:
    width, merge = search
    trace = beam(graph, weights, width, merge, graph)
    learner = Mira(k=4)
    step = choose(trace, METHODS[update], learner)
    assume(step is not None)
    assert step is not None
    chosen = METHODS[update](trace)
    assert step == (trace.final if chosen is None else chosen)
    guesses = [path for path in trace.kbest(4, step) if not graph.is_gold(path.actions)]
    found = find(trace, step, graph, weights, learner)
    gold = graph.vector(trace.gold(step).actions)
    assert len(found) == len(guesses)
    for violation, guess in zip(found, guesses):
        vector = graph.vector(guess.actions)
        delta = {n: gold.get(n, 0.0) - vector.get(n, 0.0) for n in {*gold, *vector}}
        assert violation.delta == {n: x for n, x in delta.items() if x}
        assert violation.excess == -weights.score(violation.delta)
    one = find(trace, step, graph, weights, Mira())
    assert one == found[: len(one)]
    if not trace.best_is_gold[step]:
        assert len(one) == 1
