"""Scores from outside: the engine's loss and gradient are those of the definition, and of differences."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import numpy as np
import pytest

from structron import DataError, SettingError
from structron.own.scores import best_outputs, structured_loss, transition_actions, transition_steps
from structron.reference import Weights, compare, decode, is_violation
from structron.reference.learners.violations import method
from structron.reference.sequence.scored import ScoredTagging, weights_of
from structron.tasks.parsing.transitions.oracles import GoldTree, ParseOracle
from structron.tasks.parsing.transitions.scored import ScoredTransitions
from tests.trees import is_tree, random_projective_heads


def tables(rng: np.random.Generator, labels: int = 4) -> tuple[list[Any], list[Any], Any]:
    """Whole numbers, so that sums are exact and there are ties."""
    lengths = rng.integers(0, 6, 5)
    scores = [rng.integers(-3, 4, (n, labels)).astype(np.float32) for n in lengths]
    gold = [rng.integers(0, labels, n) for n in lengths]
    return scores, gold, rng.integers(-2, 3, (labels + 1, labels)).astype(np.float32)


@pytest.mark.parametrize("search", ["exact", "greedy", "beam:2", "beam:3+merge"])
@pytest.mark.parametrize("update", ["standard", "early", "max_violation", "latest", "skip"])
def test_tagging_is_that_of_the_definition(search: str, update: str) -> None:
    from structron.search import parse_search

    for seed in range(20):
        rng = np.random.default_rng(seed)
        scores, gold, after = tables(rng)
        transitions = after if seed % 2 else None
        found = structured_loss(
            scores,
            gold,
            search=search,
            update=update,
            margin=1.0,
            transitions=transitions,
            threads=1 + seed % 2,
        )
        moved = np.zeros_like(after)
        for k, (table, right) in enumerate(zip(scores, gold)):
            space = ScoredTagging(len(table), 4, right, transitions is not None)
            weights = weights_of(table, transitions)
            trace = decode(space, weights, parse_search(search), space, 1.0)
            step = method(update)(trace) if len(table) else None
            expected, loss = np.zeros_like(table), 0.0
            if step is not None:
                violation = compare(space, trace.gold(step), trace.best(step))
                loss = violation.excess
                for (kind, row, label), value in violation.delta.items():
                    (expected if kind == "score" else moved)[row, label] -= value
            assert found.losses[k] == loss
            assert np.array_equal(found.gradient[k], expected)
        if transitions is not None:
            assert np.array_equal(found.transitions, moved)


def parses(seed: int, relations: int, actions: int) -> tuple[list[Any], list[Any]]:
    """Whole numbers for each top, front and action, and trees without crossing arcs."""
    rng, source = np.random.default_rng(seed), random.Random(seed)
    gold = []
    for n in rng.integers(0, 6, 4):
        heads = random_projective_heads(source, int(n))
        gold.append((heads, [source.randrange(relations) for _ in heads]))
    return [
        rng.integers(-3, 4, (len(h) + 1, len(h) + 1, actions)).astype(np.float32) for h, _ in gold
    ], gold


@pytest.mark.parametrize("system", ["arc-hybrid", "arc-eager"])
@pytest.mark.parametrize("search", ["greedy", "beam:2", "beam:3+merge"])
@pytest.mark.parametrize("update", ["standard", "early", "max_violation", "latest"])
def test_transitions_are_those_of_the_definition(system: str, search: str, update: str) -> None:
    from structron.search import parse_search

    actions = transition_actions(2, system)
    for seed in range(8):
        scores, gold = parses(seed, 2, len(actions))
        options: dict[str, Any] = {"task": "transitions", "system": system, "search": search}
        margin = float(seed % 3)
        found = structured_loss(scores, gold, update=update, margin=margin, threads=1 + seed % 2, **options)
        best = best_outputs(scores, **options)
        errors = 0
        for k, (table, (heads, relations)) in enumerate(zip(scores, gold)):
            space = ScoredTransitions(system, actions, len(heads))
            oracle = ParseOracle(space.system, GoldTree(heads, relations))
            weights = Weights()
            weights.add((place, float(x)) for place, x in np.ndenumerate(table) if x != 0)
            trace = decode(space, weights, parse_search(search), oracle, margin)
            step = method(update)(trace) if heads else None
            expected, loss = np.zeros_like(table), 0.0
            if step is not None:
                violation = compare(space, trace.gold(step), trace.best(step))
                loss = violation.excess
                for place, value in violation.delta.items():
                    expected[place] -= value
            errors += bool(heads) and not trace.best_is_gold[-1]
            assert found.losses[k] == loss
            assert np.array_equal(found.gradient[k], expected)
            free = decode(space, weights, parse_search(search))
            if heads:
                arcs = [space.system.attached(m.state, m.action, len(heads)) for m in moves(space, free)]
                guess = sorted((a.dependent, a.head, a.label) for a in arcs if a is not None)
                assert guess == [(i, h, r) for i, (h, r) in enumerate(zip(*best[k]), 1)]
        assert found.errors == errors


def moves(space: Any, trace: Any) -> list[Any]:
    """The states and actions of the best derivation."""
    from types import SimpleNamespace

    found, state = [], space.initial()
    for action in trace.best(trace.final).actions:
        found.append(SimpleNamespace(state=state, action=action))
        state = space.advance(state, action)
    return found


@pytest.mark.parametrize("system", ["arc-hybrid", "arc-eager"])
def test_steps_of_gold_are_those_of_the_definitions_oracle(system: str) -> None:
    actions = transition_actions(2, system)
    _, gold = parses(5, 2, len(actions))
    for (heads, relations), steps in zip(gold, transition_steps(gold, 2, system=system)):
        space = ScoredTransitions(system, actions, len(heads))
        oracle = ParseOracle(space.system, GoldTree(heads, relations))
        state, expected = space.initial(), []
        while heads and not space.is_final(state):
            action = oracle.action(state)
            expected.append([*space.seen(state), action])
            state = space.advance(state, action)
        assert steps.tolist() == expected


def test_an_own_update_chooses_for_scores_too() -> None:
    def last(trace: Any) -> int | None:
        rows = np.flatnonzero(is_violation(trace))
        return int(rows[-1]) if rows.size else None

    scores, gold, _ = tables(np.random.default_rng(1))
    own, ours = (
        structured_loss(scores, gold, search="beam:2", update=u) for u in (last, method("max_violation"))
    )
    assert own.errors == ours.errors and (own.losses <= ours.losses).all()


@pytest.mark.parametrize("task", ["labels", "trees", "transitions"])
def test_the_gradient_is_that_of_differences(task: str) -> None:
    rng = np.random.default_rng(3)
    if task == "labels":
        scores = [rng.normal(size=(n, 3)) for n in (1, 4, 6)]
        gold: list[Any] = [rng.integers(0, 3, len(each)) for each in scores]
        options: dict[str, Any] = {"transitions": rng.normal(size=(4, 3))}
    else:
        gold = [([0], [1]), ([0, 1, 2], [0, 1, 1]), ([2, 0, 2, 3], [1, 0, 1, 0])]
        shape = [(n + 1, n, 2) if task == "trees" else (n + 1, n + 1, 7) for n in (1, 3, 4)]
        scores = [rng.normal(size=each) for each in shape]
        options = {} if task == "trees" else {"search": "beam:3"}
    options["update"] = "max_violation" if task == "transitions" else "standard"

    def total(tables: list[Any]) -> float:
        return float(structured_loss(tables, gold, task=task, **options).losses.sum())

    found = structured_loss(scores, gold, task=task, **options)
    for k, table in enumerate(scores):
        for place in np.ndindex(*table.shape):
            moved = [np.array(each) for each in scores]
            moved[k][place] += 1e-3
            up = total(moved)
            moved[k][place] -= 2e-3
            assert (up - total(moved)) / 2e-3 == pytest.approx(found.gradient[k][place], abs=2e-2)


@pytest.mark.parametrize("search", ["forest", "mst"])
def test_the_best_tree_is_the_best_of_all(search: str) -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n = 1 + seed % 4
        table = rng.normal(size=(n + 1, n, 2)).astype(np.float32)
        ((heads, relations),) = best_outputs([table], task="trees", search=search)
        score = table[heads, range(n), relations].sum()
        allowed = [h for h in product(range(n + 1), repeat=n) if is_tree(h, crossing=search == "mst")]
        best = max(table[list(h), range(n)].max(axis=1).sum() for h in allowed)
        assert tuple(heads.tolist()) in allowed and score == pytest.approx(best, rel=1e-5)


def test_best_labels_are_those_of_exact_search() -> None:
    scores, _, after = tables(np.random.default_rng(9))
    for transitions in (None, after):
        found = best_outputs(scores, transitions=transitions)
        wide = best_outputs(scores, search="beam:2000", transitions=transitions)
        assert [each.tolist() for each in found] == [each.tolist() for each in wide]
        assert structured_loss(scores, found, margin=0.0, transitions=transitions).errors == 0


def test_what_does_not_fit_is_one_sentence() -> None:
    table, moving = np.zeros((2, 3)), {"task": "transitions"}
    for scores, gold, options, says in (
        ([table], [[0]], {}, "input 1: its labels are not 2 numbers"),
        ([table], [[0, 3]], {}, "gold has a label without scores"),
        ([table], [], {}, "scores for 1 inputs and gold for 0"),
        ([np.zeros(3)], [[0]], {}, "input 1: scores of shape"),
        ([table * np.nan], [[0, 0]], {}, "a score is not finite"),
        ([table], [[0, 0]], {"transitions": np.zeros((2, 2))}, "transitions of shape"),
        ([np.zeros((3, 2, 1))], [([1, 0], [0, 0])], {"task": "trees"}, "an arc without scores"),
        ([np.zeros((2, 3, 4))], [([0, 1], [0, 0])], moving, "as many tops as fronts"),
        ([np.zeros((3, 3, 5))], [([0, 1], [0, 0])], moving, "5 actions do not fit arc-hybrid"),
        ([np.zeros((3, 3, 4))], [([0, 1], [0, 1])], moving, "an arc without scores"),
        ([np.zeros((3, 3, 4))], [([0, 0], [0, 0])], moving, "tree 1 has no derivation"),
        ([np.zeros((5, 5, 4))], [([3, 4, 0, 3], [0] * 4)], moving, "tree 1 has no derivation"),
    ):
        with pytest.raises(DataError, match=says):
            structured_loss(scores, gold, **options)
    for options, says in (
        ({"task": "words"}, "has no scores of one's own"),
        ({"search": "forest"}, "use exact, greedy or a beam"),
        ({"update": "laso"}, "laso changes scores"),
        ({**moving, "search": "exact"}, "use greedy or a beam"),
    ):
        with pytest.raises(SettingError, match=says):
            structured_loss([np.zeros((3, 3, 4))] if "task" in options else [table], [[0, 0]], **options)
    with pytest.raises(SettingError, match="its states are more than two words"):
        transition_steps([([0], [0])], 1, system="arc-standard")
