"""Parsing oracles: static ones rebuild the tree, dynamic ones lose exactly what becomes unreachable."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings

from structron.reference import check_oracle, check_space
from structron.tasks.parsing import (
    GoldTree,
    ParseOracle,
    ParsingTask,
    State,
    crossing,
    is_projective,
    lift,
    lower,
)
from tests.trees import SYSTEMS, Tree, full_task, trees

PROJECTIVE = [system for system in SYSTEMS if system != "swap"]


def oracle_of(task: ParsingTask, tree: Tree, dynamic: bool = False) -> ParseOracle:
    return ParseOracle(task.arcs, GoldTree(tree[0], [task.labels.index(label) for label in tree[1]]), dynamic)


def follow(task: ParsingTask, tree: Tree) -> Tree:
    """The tree at the end of the static oracle's path."""
    space, oracle = task.space(["w"] * len(tree[0])), oracle_of(task, tree)
    state, actions = space.initial(), []
    while not space.is_final(state):
        action = oracle.action(state)
        assert action is not None and action in space.actions(state)
        actions.append(action)
        state = space.advance(state, action)
    return space.tree(actions)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("system", PROJECTIVE)
@settings(max_examples=60, deadline=None)
@given(tree=trees(most=9))
def test_static_oracles_rebuild_every_projective_tree(system: str, single_root: bool, tree: Tree) -> None:
    assert follow(full_task(system, single_root=single_root), tree) == tree


@settings(max_examples=150, deadline=None)
@given(tree=trees(most=9, projective=False))
def test_the_swap_oracle_rebuilds_every_tree(tree: Tree) -> None:
    assert follow(full_task("swap", swaps=9), tree) == tree


@pytest.mark.parametrize(
    ("system", "single_root"), [("arc-eager", False), ("arc-hybrid", False), ("arc-hybrid", True)]
)
@settings(max_examples=25, deadline=None)
@given(tree=trees(most=4))
def test_dynamic_loss_is_what_becomes_unreachable(system: str, single_root: bool, tree: Tree) -> None:
    task = full_task(system, single_root=single_root)
    space, oracle = task.space(["w"] * len(tree[0])), oracle_of(task, tree, dynamic=True)
    gold = {(h, d, task.labels.index(label)) for d, (h, label) in enumerate(zip(*tree), 1)}

    @cache
    def most(state: State) -> int:
        """The most gold arcs that can still be made, by trying all there is."""
        if space.is_final(state):
            return 0
        return max(made(state, action) for action in space.actions(state))

    def made(state: State, action: int) -> int:
        arc = task.arcs.attached(state, action, len(tree[0]))
        return (arc is not None and tuple(arc) in gold) + most(space.advance(state, action))

    seen, waiting = set(), [space.initial()]
    while waiting:
        state = waiting.pop()
        for action in space.actions(state):
            assert oracle.loss(state, action) == most(state) - made(state, action), (state, action)
            after = space.advance(state, action)
            if after not in seen and len(seen) < 4000:
                seen.add(after)
                waiting.append(after)


@pytest.mark.parametrize("system", ["arc-eager", "arc-hybrid"])
@settings(max_examples=40, deadline=None)
@given(tree=trees(most=6))
def test_the_static_path_is_among_the_dynamic_ones_and_all_of_these_lead_to_the_tree(
    system: str, tree: Tree
) -> None:
    task = full_task(system)
    space, static, dynamic = (
        task.space(["w"] * len(tree[0])),
        oracle_of(task, tree),
        oracle_of(task, tree, True),
    )
    built, waiting = [], [(space.initial(), (), True)]
    while waiting:
        state, actions, on_static = waiting.pop()
        if space.is_final(state):
            built.append(space.tree(actions))
            continue
        allowed = [a for a in space.actions(state) if dynamic.allows(state, a)]
        assert allowed and (not on_static or static.action(state) in allowed)
        for action in allowed:
            waiting.append(
                (space.advance(state, action), (*actions, action), on_static and static.allows(state, action))
            )
    assert built and all(found == tree for found in built)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("single_root", [True, False])
@settings(max_examples=5, deadline=None)
@given(tree=trees(most=3))
def test_spaces_and_oracles_keep_their_contract(system: str, single_root: bool, tree: Tree) -> None:
    task = full_task(system, single_root=single_root)
    space = task.space(["w"] * len(tree[0]))
    check_space(space)
    check_oracle(space, oracle_of(task, tree))


@pytest.mark.parametrize("system", SYSTEMS)
@settings(max_examples=30, deadline=None)
@given(tree=trees(most=6))
def test_every_output_is_a_tree_with_one_root(system: str, tree: Tree) -> None:
    import random

    task = full_task(system)
    space, rng = task.space(["w"] * len(tree[0])), random.Random(len(tree[0]))
    for _ in range(5):
        state, actions = space.initial(), []
        while not space.is_final(state):
            actions.append(rng.choice(list(space.actions(state))))
            state = space.advance(state, actions[-1])
        heads, _ = space.tree(actions)
        assert heads.count(0) == 1
        for word in range(1, len(heads) + 1):
            path = [word]
            while heads[path[-1] - 1]:
                path.append(heads[path[-1] - 1])
                assert len(path) <= len(heads)


@settings(max_examples=200, deadline=None)
@given(tree=trees(most=9, projective=False))
def test_a_tree_is_projective_if_no_arc_crosses(tree: Tree) -> None:
    assert is_projective(tree[0]) == (not crossing(tree[0]))


@settings(max_examples=200, deadline=None)
@given(tree=trees(most=9, projective=False))
def test_lifting_makes_projective_and_changes_nothing_that_was_so(tree: Tree) -> None:
    heads, labels = lift(tree)
    assert is_projective(heads)
    unmarked = lift(tree, mark=False)
    assert unmarked[0] == heads and unmarked[1] == tree[1]
    for before, after, old, new in zip(tree[0], heads, tree[1], labels):
        assert (before == after) == (old == new)
    if is_projective(tree[0]):
        assert (heads, labels) == tree


@settings(max_examples=200, deadline=None)
@given(tree=trees(most=9, projective=False))
def test_lowering_undoes_lifting_where_the_mark_is_unique(tree: Tree) -> None:
    # With a relation of its own for every word the mark can lead to one place only.
    apart: Tree = (tree[0], [f"r{i}" for i in range(len(tree[0]))])
    assert lower(lift(apart)) == apart
    heads, labels = lower(lift(tree))
    assert labels == tree[1]
    assert sorted(heads).count(0) == 1
