"""check_space and check_oracle: each way of being wrong is told in one sentence."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from hypothesis import given

from structron.errors import TaskError
from structron.reference import check_oracle, check_space
from tests.graphs import GraphSpace, graphs

State = tuple[int, ...]


class Tags:
    """Two tags for each of three words; right in every respect, until a test replaces one method."""

    def initial(self) -> Any:
        return ()

    def actions(self, state: Any) -> Any:
        return [0, 1] if len(state) < 3 else []

    def advance(self, state: Any, action: int) -> Any:
        return (*state, action)

    def features(self, state: Any, action: int) -> Any:
        return [((state[-1:], action), 1.0)]

    def merge_key(self, state: Any) -> Any:
        return state[-1:]

    def step(self, state: Any) -> Any:
        return len(state)

    def is_final(self, state: Any) -> Any:
        return len(state) == 3

    def allows(self, state: Any, action: int) -> Any:
        return action == (0, 1, 1)[len(state)]


def broken(**methods: Callable[..., Any]) -> Any:
    """The same, with some methods replaced; they get no `self`."""
    replaced = {name: staticmethod(function) for name, function in methods.items()}
    return type("Broken", (Tags,), replaced)()


def test_a_proper_space_and_oracle_pass() -> None:
    check_space(Tags())
    check_oracle(Tags(), Tags())


@given(graphs())
def test_random_graphs_pass(graph: GraphSpace) -> None:
    check_space(graph)
    check_oracle(graph, graph)


def by_chance() -> Callable[..., Any]:
    rng = random.Random(0)
    return lambda state, action: (*state, rng.choice((0, 1)))


def in_place(state: list[int], action: int) -> list[int]:
    state.append(action)
    return state


def numbered() -> Callable[..., Any]:
    calls = count()
    return lambda state, action: [((next(calls), action), 1.0)]


def growing() -> Callable[..., Any]:
    calls = count()
    return lambda: (0,) * next(calls)


def by_mood() -> Callable[..., Any]:
    calls = count()
    return lambda state, action: next(calls) % 2 == 0


SPACES: list[tuple[str, dict[str, Any], str]] = [
    ("advance by chance", {"advance": by_chance()}, "advance() must always give the same, without chance"),
    (
        "advance in place",
        {"initial": list, "advance": in_place, "merge_key": len, "features": lambda s, a: []},
        "make a new state instead",
    ),
    (
        "actions unsorted",
        {"actions": lambda s: [1, 0][: 6 - 2 * len(s)]},
        "sort them, for the order decides ties",
    ),
    ("actions twice", {"actions": lambda s: [1, 1][: 6 - 2 * len(s)]}, "offers 1 twice in the initial state"),
    ("actions a generator", {"actions": lambda s: iter([0, 1])}, "must be a sequence of whole numbers"),
    ("actions not numbers", {"actions": lambda s: ["N", "V"]}, "actions() holds 'N' in the initial state"),
    ("actions negative", {"actions": lambda s: [-1, 0]}, "whole numbers from 0"),
    ("step standing still", {"step": lambda s: min(len(s), 2)}, "every action must lead to a later step"),
    ("step not whole", {"step": lambda s: len(s) / 2}, "step() gives 0.0 in the initial state"),
    ("final with actions", {"is_final": lambda s: len(s) >= 2}, "is final but has actions [0, 1]"),
    ("dead end", {"is_final": lambda s: len(s) == 3 and s[0] == 0}, "after actions [1, 0, 0] is a dead end"),
    ("no end", {"is_final": lambda s: False}, "is a dead end: not final and without actions"),
    (
        "two last steps",
        {
            "actions": lambda s: [] if s[:1] == (0,) or len(s) == 3 else [0, 1],
            "is_final": lambda s: s[:1] == (0,) or len(s) == 3,
            "merge_key": lambda s: s,
        },
        "give all final states the same step",
    ),
    (
        "merge key a list",
        {"merge_key": list},
        "merge_key() gives a list in the initial state, which cannot be hashed",
    ),
    ("merge: other features", {"merge_key": len}, "have equal merge keys but have different features"),
    (
        "merge: other actions",
        {
            "merge_key": len,
            "features": lambda s, a: [],
            "actions": lambda s: [0, 1][: 2 - sum(s)] if len(s) < 3 else [],
        },
        "have equal merge keys but have different actions",
    ),
    (
        "merge: other futures",
        {"merge_key": lambda s: s if len(s) == 2 else len(s), "features": lambda s, a: []},
        "have equal merge keys but lead to different merge keys or steps; add what distinguishes them",
    ),
    (
        "features None",
        {"features": lambda s, a: None},
        "features() gives a NoneType for the initial state, action 0",
    ),
    (
        "features names only",
        {"features": lambda s, a: ["bias"]},
        "features() holds 'bias' for the initial state",
    ),
    ("features text", {"features": lambda s, a: "bias"}, "features() gives a str"),
    ("features infinite", {"features": lambda s, a: [("x", math.inf)]}, "values must be finite numbers"),
    ("features NaN", {"features": lambda s, a: {"x": math.nan}}, "feature 'x' has value nan"),
    (
        "features with text values",
        {"features": lambda s, a: [("x", "1")]},
        "pair of a hashable name and a number",
    ),
    (
        "features with list names",
        {"features": lambda s, a: [(["x"], 1.0)]},
        "pair of a hashable name and a number",
    ),
    ("features that change", {"features": numbered()}, "must always give the same"),
    ("an exception", {"features": lambda s, a: [(s[-2], 1.0)]}, "features() raised IndexError"),
    ("initial by chance", {"initial": growing()}, "two calls of initial()"),
]


@pytest.mark.parametrize(("methods", "message"), [pytest.param(*rest, id=name) for name, *rest in SPACES])
def test_a_broken_space_is_told_what_is_wrong(methods: dict[str, Any], message: str) -> None:
    with pytest.raises(TaskError) as caught:
        check_space(broken(**methods))
    text = str(caught.value)
    assert message in text
    assert text.startswith("check_space: ") and "; " in text and "\n" not in text


def test_a_missing_method_is_named() -> None:
    with pytest.raises(TaskError, match="check_space: object has no method initial; see SearchSpace"):
        check_space(object())  # type: ignore[arg-type]
    with pytest.raises(TaskError, match="check_oracle: object has no method allows; see Oracle"):
        check_oracle(Tags(), object())  # type: ignore[arg-type]


class Forgetful(Tags):
    """States are lists, which a careless oracle can change."""

    def initial(self) -> Any:
        return []

    def advance(self, state: Any, action: int) -> Any:
        return [*state, action]

    def features(self, state: Any, action: int) -> Any:
        return [((tuple(state[-1:]), action), 1.0)]

    def merge_key(self, state: Any) -> Any:
        return tuple(state[-1:])

    def allows(self, state: Any, action: int) -> Any:
        if len(state) == 1:
            state.append(0)
        return action == 0


ORACLES: list[tuple[str, Any, str]] = [
    (
        "allows nothing",
        broken(allows=lambda s, a: len(s) < 2),
        "permits none of the actions [0, 1] of the state after",
    ),
    (
        "allows what is not offered",
        broken(actions=lambda s: [[0, 2], [0, 2], [1], []][len(s)]),
        "allows() permits action 1",
    ),
    ("answers None", broken(allows=lambda s, a: None), "allows() gives None in the initial state, action 0"),
    ("answers by mood", broken(allows=by_mood()), "gives two answers"),
    ("raises", broken(allows=lambda s, a: (0, 1)[len(s)] == a), "allows() raised IndexError"),
    ("changes the state", Forgetful(), "allows() changes the state after actions [0]"),
    (
        "knows more than the merge key",
        broken(allows=lambda s, a: len(s) < 2 or a == s[0]),
        "add what the oracle looks at to merge_key",
    ),
]


@pytest.mark.parametrize(("task", "message"), [pytest.param(*rest, id=name) for name, *rest in ORACLES])
def test_a_broken_oracle_is_told_what_is_wrong(task: Any, message: str) -> None:
    with pytest.raises(TaskError) as caught:
        check_oracle(task, task)
    text = str(caught.value)
    assert message in text
    assert text.startswith("check_oracle: ") and "; " in text and "\n" not in text


def test_large_spaces_are_walked_only_as_far_as_the_limit() -> None:
    calls = count()
    endless = broken(
        actions=lambda s: [0, 1],
        is_final=lambda s: False,
        allows=lambda s, a: a == 1,
        step=lambda s: (next(calls), len(s))[1],
    )
    check_space(endless, limit=50)
    check_oracle(endless, endless, limit=50)
    assert next(calls) < 2000
