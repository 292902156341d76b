"""SWVP as Dror & Reichart (2016) have it: conditions on gamma, special cases, mixed assignments."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from structron.errors import TaskError
from structron.learners import SWVP as Named
from structron.reference import (
    GAMMAS,
    METHODS,
    SUBSTRUCTURES,
    SWVP,
    Perceptron,
    Violation,
    beam,
    compare,
    find,
    train,
    windows,
)
from structron.reference.learners.substructures import all_subsets, error_spans, full, prefixes, single
from structron.reference.learners.swvp import optimal, weighted_margin, weighted_margin_rank
from structron.reference.learners.weights import Weights
from structron.reference.sequence.violation_finder import choose
from structron.search import Beam, Exact, Greedy
from structron.tasks.tagging import TaggingTask
from tests.graphs import graphs

LABELS = ("A", "B", "C")
TEMPLATES = ("w[0]", "t[-1]", "t[-1] w[0]", "t[-2] t[-1]")
TASK = TaggingTask(LABELS, TEMPLATES)
SEARCHES = [Greedy(), Beam(2), Beam(3, merge=True), Exact()]


@st.composite
def sentences(draw: st.DrawFn, most: int = 6) -> tuple[list[str], list[str]]:
    n = draw(st.integers(1, most))
    words = draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n))
    return words, draw(st.lists(st.sampled_from(LABELS), min_size=n, max_size=n))


def corpora() -> st.SearchStrategy[list[tuple[list[str], list[str]]]]:
    return st.lists(sentences(), min_size=1, max_size=4)


def examples(data: Sequence[tuple[list[str], list[str]]]) -> list[Any]:
    return [(TASK.space(x), TASK.oracle(y)) for x, y in data]


def violations() -> st.SearchStrategy[list[Violation]]:
    one = st.builds(
        lambda delta, excess, loss: Violation(delta, excess, loss, among=9),
        st.dictionaries(st.integers(0, 5), st.integers(-2, 2).filter(bool).map(float), min_size=1),
        st.integers(-4, 4).map(float),
        st.integers(1, 3).map(float),
    )
    return st.lists(one, min_size=1, max_size=6)


@pytest.mark.parametrize("gamma", GAMMAS)
@given(found=violations(), beta=st.sampled_from([0.5, 1.0, 2.5, 5.0]), kind=st.sampled_from(["a", "b", "e"]))
@settings(max_examples=50, deadline=None)
def test_gammas_meet_the_conditions_that_are_promised(
    gamma: str, found: list[Violation], beta: float, kind: str
) -> None:
    learner = SWVP(gamma=GAMMAS[gamma], beta=beta, aggressive=kind == "a", enforced=kind == "e")
    weights = learner.gammas(found)
    # Condition (1).
    assert min(weights) >= 0.0
    assert sum(weights) == pytest.approx(1.0)
    if kind == "b" or not learner.accepts(found):
        return
    # Condition (2), with the excess in place of -w · ΔΦ.
    assert sum(g * v.excess for g, v in zip(weights, found)) >= -1e-12
    assert learner.excess(found) >= 0.0
    if kind == "a":
        assert all(g == 0.0 for g, v in zip(weights, found) if v.excess < 0)


def test_weights_by_hand() -> None:
    found = [Violation({}, excess, 1.0, among=4) for excess in (3.0, -1.0, 0.0)]
    assert weighted_margin(found, 1.0) == pytest.approx([1.0, 1 / 3, 0.0])
    assert weighted_margin_rank(found, 2.0) == pytest.approx([1.0, (3 / 4) ** 2, (2 / 4) ** 2])
    assert SWVP(gamma=weighted_margin_rank).gammas(found) == pytest.approx([4 / 9, 3 / 9, 2 / 9])
    assert SWVP(gamma=weighted_margin_rank, printed=True).gammas(found) == pytest.approx([1, 3 / 4, 2 / 4])
    assert SWVP(gamma=weighted_margin_rank, aggressive=True).gammas(found) == pytest.approx([2 / 3, 0, 1 / 3])
    # At w = 0 WM is 0/0, and all ranks are equal: equal weights.
    at_zero = [Violation({}, 0.0, 1.0, among=4)] * 3
    for gamma in (weighted_margin, weighted_margin_rank):
        assert SWVP(gamma=gamma).gammas(at_zero) == pytest.approx([1 / 3] * 3)


def test_enforcing_drops_what_violates_least_until_the_sum_is_a_violation() -> None:
    found = [Violation({}, excess, 1.0) for excess in (2.0, -1.0, -3.0)]
    assert SWVP(gamma=GAMMAS["uniform"]).excess(found) < 0
    assert SWVP(gamma=GAMMAS["uniform"], enforced=True).gammas(found) == [0.5, 0.5, 0.0]


@given(found=violations())
@settings(max_examples=50, deadline=None)
def test_no_other_gamma_leaves_the_worst_margin_better_off(found: list[Violation]) -> None:
    def objective(gammas: Sequence[float]) -> float:
        total: dict[Any, float] = {}
        for g, v in zip(gammas, found):
            for name, x in v.delta.items():
                total[name] = total.get(name, 0.0) + g * x
        missed = [v.loss + v.excess - sum(x * total.get(n, 0.0) for n, x in v.delta.items()) for v in found]
        return sum(x * x for x in total.values()) / 2 + max(missed)

    best = objective(optimal(found, 1.0))
    for name in ("wm", "wmr", "uniform", "best"):
        assert best <= objective(SWVP(gamma=GAMMAS[name]).gammas(found)) + 1e-6


def test_sub_structures_by_hand() -> None:
    gold, guess = [0, 0, 0, 0, 0], [1, 1, 0, 0, 1]

    def sets(jj: Any) -> list[list[int]]:
        return [sorted(each) for each in jj(gold, guess)]

    assert sets(single) == [[0], [1], [2], [3], [4]]
    assert sets(full) == [[0, 1, 2, 3, 4]]
    assert sets(prefixes)[:2] == [[0], [0, 1]]
    assert sets(error_spans) == [[0, 1], [4]]
    assert sets(windows(3)) == [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
    assert sets(windows(9)) == [[0, 1, 2, 3, 4]]
    assert len(sets(all_subsets)) == 31


@pytest.mark.parametrize("search", SEARCHES, ids=str)
@pytest.mark.parametrize("update", [*METHODS, "laso"])
@given(data=corpora())
@settings(max_examples=5, deadline=None)
def test_with_the_whole_guess_alone_it_is_the_perceptron_weight_for_weight(
    search: Any, update: str, data: list[tuple[list[str], list[str]]]
) -> None:
    def whole(gold: Sequence[int], guess: Sequence[int]) -> list[list[int]]:
        return [list(range(len(gold)))]

    runs = [
        list(train(examples(data), search=search, update=update, learner=learner, epochs=3))
        for learner in (Perceptron(), SWVP(full), SWVP(whole, GAMMAS["uniform"], aggressive=True))
    ]
    for perceptron, *others in zip(*runs):
        for other in others:
            assert other.weights == perceptron.weights
            assert other.updates == perceptron.updates
            assert other.invalid == perceptron.invalid


@given(pair=sentences(), data=st.data())
@settings(max_examples=25, deadline=None)
def test_a_mixed_assignment_is_the_guess_in_its_positions_and_gold_elsewhere(
    pair: tuple[list[str], list[str]], data: st.DataObject
) -> None:
    x, y = pair
    space, oracle = TASK.space(x), TASK.oracle(y)
    weights = Weights({name: float(data.draw(st.integers(-2, 2))) for name in features(space)})
    trace = beam(space, weights, 2, False, oracle)
    learner = SWVP(data.draw(st.sampled_from([*SUBSTRUCTURES.values(), windows(2)])))
    step = choose(trace, METHODS["max_violation"], learner)
    assume(step is not None)
    assert step is not None
    gold, guess = trace.gold(step).actions, trace.best(step).actions
    distinct = {
        tuple(guess[k] if k in J else gold[k] for k in range(len(gold)))
        for J in map(set, learner.substructures(gold, guess))
    }
    found = find(trace, step, oracle, weights, learner)
    # Gold itself is left out, equal ones are there once, and each is scored as it stands.
    assert len(found) == len(distinct - {gold})
    expected = sorted(-weights.score(difference(space, gold, m)) for m in distinct - {gold})
    assert sorted(v.excess for v in found) == expected
    assert sorted(v.loss for v in found) == sorted(
        float(sum(a != b for a, b in zip(gold, m))) for m in distinct - {gold}
    )


def features(space: Any) -> set[Any]:
    """All features of all paths."""
    found: set[Any] = set()
    states = [space.initial()]
    for state in states:
        for action in space.actions(state):
            found.update(name for name, _ in space.features(state, action))
            if len(states) < 200:
                states.append(space.advance(state, action))
    return found


def difference(space: Any, gold: Sequence[int], other: Sequence[int]) -> dict[Any, float]:
    """Φ(gold) - Φ(other) over whole paths."""
    total: dict[Any, float] = {}
    for actions, sign in ((gold, 1.0), (other, -1.0)):
        state = space.initial()
        for action in actions:
            for name, value in space.features(state, action):
                total[name] = total.get(name, 0.0) + sign * value
            state = space.advance(state, action)
    return total


@given(
    data=corpora(),
    gamma=st.sampled_from(list(GAMMAS)),
    enforced=st.booleans(),
    search=st.sampled_from(SEARCHES),
)
@settings(max_examples=25, deadline=None)
def test_aggressive_and_enforced_updates_are_never_invalid(
    data: list[tuple[list[str], list[str]]], gamma: str, enforced: bool, search: Any
) -> None:
    learner = SWVP(single, GAMMAS[gamma], aggressive=not enforced, enforced=enforced)
    for epoch in train(examples(data), search=search, update="max_violation", learner=learner, epochs=4):
        assert epoch.invalid == 0


def test_without_a_violation_among_them_the_plain_update_is_made() -> None:
    # "B B" beats gold "A A" only as a whole: each position alone loses.
    task = TaggingTask(("A", "B"), ("t[-1]",))
    space, oracle = task.space(["x", "y"]), task.oracle(["A", "A"])
    second = [space.advance(space.initial(), tag) for tag in (0, 1)]
    weights = Weights()
    for before, tag, weight in ((0, 1, -1.0), (1, 0, -1.0), (1, 1, 5.0)):
        ((name, _),) = space.features(second[before], tag)
        weights.add({name: weight})
    trace = beam(space, weights, None, True, oracle)
    assert not trace.best_is_gold[-1]
    assert trace.best(1).actions == (1, 1)
    found = find(trace, 1, oracle, weights, SWVP(single, aggressive=True))
    assert [v.excess for v in found] == [trace.best_score[1] - trace.gold_score[1]]
    assert len(find(trace, 1, oracle, weights, SWVP(single))) == 2


@given(graph=graphs())
@settings(max_examples=3, deadline=None)
def test_a_task_that_cannot_mix_says_so(graph: Any) -> None:
    weights = Weights()
    trace = beam(graph, weights, 1, False, graph)
    step = METHODS["standard"](trace)
    assume(step is not None)
    with pytest.raises(TaskError, match="give it a method mixed"):
        find(trace, step, graph, weights, Named().definition())


def test_the_named_learner_is_the_definition() -> None:
    learner = Named("windows=2", "wmr", True, 2.0, printed=True, margin=1.0)
    definition = learner.definition()
    assert definition.margin == 1.0
    assert definition.gammas([Violation({}, 1.0, 1.0)]) == [1.0]
    assert [list(s) for s in definition.substructures([0, 0, 0], [1, 1, 1])] == [[0, 1], [1, 2]]


@given(data=sentences(most=3), seed=st.integers(0, 2**32 - 1), jj=st.sampled_from(["single", "prefixes"]))
@settings(max_examples=30, deadline=None)
def test_with_all_guesses_the_best_gamma_is_the_greatest_violation_of_all_mixtures(
    data: tuple[list[str], list[str]], seed: int, jj: str
) -> None:
    """Inference joint with γ (Section 4.2, Property 2): no guess and no sub-structure violates more."""
    ((space, oracle),) = examples([data])
    rng, every = random.Random(seed), 3 ** len(data[0])
    weights = Weights((name, float(rng.randint(-3, 3))) for name in names_of(space))
    learner = SWVP(SUBSTRUCTURES[jj], GAMMAS["best"], guesses=every)
    trace = beam(space, weights, every, oracle=oracle)
    found = find(trace, trace.final, oracle, weights, learner)
    change = learner.change(found)
    gold = trace.gold(trace.final)
    greatest = -math.inf
    for guess in trace.kbest(every, trace.final):
        for positions in SUBSTRUCTURES[jj](gold.actions, guess.actions):
            mixed = space.mixed(gold, guess, set(positions))
            if mixed.actions != gold.actions:
                greatest = max(greatest, -weights.score(compare(space, gold, mixed).delta))
    assert -weights.score(change) == pytest.approx(greatest)


def names_of(space: Any) -> list[Any]:
    found: dict[Any, None] = {}
    states = [space.initial()]
    while states:
        state = states.pop()
        for action in space.actions(state):
            found.update(dict.fromkeys(name for name, _ in space.features(state, action)))
            states.append(space.advance(state, action))
    return list(found)
