"""What is known of a tree keeps exactly those actions that lead to a tree that agrees: by enumeration."""

from __future__ import annotations

import itertools
import random
from functools import cache

import pytest

from structron.io.values.trees import find_known_fault
from structron.tasks.parsing.transitions.restriction import KnownTree
from structron.tasks.parsing.transitions.state import State
from structron.tasks.parsing.transitions.systems import (
    LEFT,
    REDUCE,
    RIGHT,
    ROOT,
    SHIFT,
    Transition,
    TransitionSystem,
)
from structron.tasks.parsing.trees.partial import without_crossing

Arcs = frozenset[tuple[int, int]]


def system_of(name: str, *, single_root: bool) -> TransitionSystem:
    bare = [SHIFT, REDUCE] if name == "arc-eager" else [SHIFT]
    made = [*map(Transition, bare), *(Transition(kind, 0) for kind in (LEFT, RIGHT, ROOT))]
    return TransitionSystem(name, tuple(made), single_root)


def futures(system: TransitionSystem, n: int) -> dict[State, frozenset[Arcs]]:
    """By state that can be reached, the sets of arcs that can still be made from there."""

    @cache
    def after(state: State) -> frozenset[Arcs]:
        if state.step == system.steps(n):
            return frozenset([frozenset()])
        kinds = system.possible(state, n)
        found: set[Arcs] = set()
        for action, transition in enumerate(system.transitions):
            if transition.kind not in kinds:
                continue
            arc = system.attached(state, action, n)
            made = frozenset() if arc is None else frozenset([(arc.head, arc.dependent)])
            found |= {made | rest for rest in after(system.advance(state, action, n))}
        every[state] = frozenset(found)
        return every[state]

    every: dict[State, frozenset[Arcs]] = {}
    after(State())
    return every


@pytest.mark.parametrize("single_root", [True, False], ids=["one", "many"])
@pytest.mark.parametrize("name", ["arc-standard", "arc-hybrid", "arc-eager"])
def test_a_state_leads_on_where_a_derivation_does(name: str, single_root: bool) -> None:
    system = system_of(name, single_root=single_root)
    rng = random.Random(0)
    for n, share in ((1, 1.0), (2, 1.0), (3, 1.0), (4, 0.1), (5, 0.0005)):
        for state, left in futures(system, n).items():
            words = sorted({word for arcs in left for _, word in arcs})
            heads = [
                [None, *(h for h in range(n + 1) if h != w)] if w in words else [None]
                for w in range(1, n + 1)
            ]
            for known in itertools.product(*heads):
                if rng.random() > share:
                    continue
                fits = any(all(known[w - 1] in (None, h) for h, w in arcs) for arcs in left)
                assert KnownTree(system, known, [None] * n).leads_on(state) == fits


def test_what_is_left_without_crossing_arcs_is_in_some_tree() -> None:
    """Also where no arcs cross, but one runs over an ancestor of its head."""
    assert without_crossing(([2, None, None, 1], [None] * 4))[0] == [2, None, None, None]
    systems = [
        system_of(name, single_root=single_root)
        for name in ("arc-standard", "arc-hybrid", "arc-eager")
        for single_root in (True, False)
    ]
    rng = random.Random(0)
    tried = 0
    for n in range(2, 9):
        for _ in range(300):
            heads = [rng.choice([None, *range(n + 1)]) for _ in range(n)]
            if any(h == w for w, h in enumerate(heads, 1)) or find_known_fault(heads, one_root=True):
                continue
            left = without_crossing((heads, [None] * n))[0]
            tried += 1
            assert all(h in (None, heads[w]) for w, h in enumerate(left))
            for system in systems:
                assert KnownTree(system, left, [None] * n).leads_on(State()), (heads, left)
                if left != heads:  # nothing is forgotten in vain
                    assert not KnownTree(system, heads, [None] * n).leads_on(State())
    assert tried > 300
