"""Scores from outside: the engine's loss and gradient are those of the definition, and of differences."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from structron import DataError, SettingError
from structron.own.scores import best_outputs, structured_loss
from structron.reference import compare, decode, is_violation
from structron.reference.learners.violations import method
from structron.reference.sequence.scored import ScoredTagging, weights_of


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


def test_an_own_update_chooses_for_scores_too() -> None:
    def last(trace: Any) -> int | None:
        rows = np.flatnonzero(is_violation(trace))
        return int(rows[-1]) if rows.size else None

    scores, gold, _ = tables(np.random.default_rng(1))
    own, ours = (
        structured_loss(scores, gold, search="beam:2", update=u) for u in (last, method("max_violation"))
    )
    assert own.errors == ours.errors and (own.losses <= ours.losses).all()


@pytest.mark.parametrize("task", ["labels", "trees"])
def test_the_gradient_is_that_of_differences(task: str) -> None:
    rng = np.random.default_rng(3)
    if task == "labels":
        scores = [rng.normal(size=(n, 3)) for n in (1, 4, 6)]
        gold: list[Any] = [rng.integers(0, 3, len(each)) for each in scores]
        options: dict[str, Any] = {"transitions": rng.normal(size=(4, 3))}
    else:
        scores = [rng.normal(size=(n + 1, n, 2)) for n in (1, 3, 4)]
        gold = [([0], [1]), ([0, 1, 2], [0, 1, 1]), ([2, 0, 2, 3], [1, 0, 1, 0])]
        options = {}

    def total(tables: list[Any]) -> float:
        return float(structured_loss(tables, gold, task=task, update="standard", **options).losses.sum())

    found = structured_loss(scores, gold, task=task, update="standard", **options)
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


def is_tree(heads: tuple[int, ...], *, crossing: bool) -> bool:
    """Whether each word leads to the root, and whether arcs may cross."""
    for word in range(1, len(heads) + 1):
        seen = set()
        while word:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word - 1]
    arcs = [tuple(sorted((h, m))) for m, h in enumerate(heads, 1)]
    return crossing or not any(a < c < b < d for a, b in arcs for c, d in arcs)


def test_best_labels_are_those_of_exact_search() -> None:
    scores, _, after = tables(np.random.default_rng(9))
    for transitions in (None, after):
        found = best_outputs(scores, transitions=transitions)
        wide = best_outputs(scores, search="beam:2000", transitions=transitions)
        assert [each.tolist() for each in found] == [each.tolist() for each in wide]
        assert structured_loss(scores, found, margin=0.0, transitions=transitions).errors == 0


def test_what_does_not_fit_is_one_sentence() -> None:
    table = np.zeros((2, 3))
    for scores, gold, options, says in (
        ([table], [[0]], {}, "input 1: its labels are not 2 numbers"),
        ([table], [[0, 3]], {}, "gold has a label without scores"),
        ([table], [], {}, "scores for 1 inputs and gold for 0"),
        ([np.zeros(3)], [[0]], {}, "input 1: scores of shape"),
        ([table * np.nan], [[0, 0]], {}, "a score is not finite"),
        ([table], [[0, 0]], {"transitions": np.zeros((2, 2))}, "transitions of shape"),
        ([np.zeros((3, 2, 1))], [([1, 0], [0, 0])], {"task": "trees"}, "an arc without scores"),
    ):
        with pytest.raises(DataError, match=says):
            structured_loss(scores, gold, **options)
    for options, says in (
        ({"task": "words"}, "has no scores of one's own"),
        ({"search": "forest"}, "use exact, greedy or a beam"),
        ({"update": "laso"}, "laso changes scores"),
    ):
        with pytest.raises(SettingError, match=says):
            structured_loss([table], [[0, 0]], **options)
