"""check_forest: find errors in a forest or its oracle, and report them in one sentence."""

from __future__ import annotations

import math
from collections.abc import Hashable
from itertools import islice, product
from typing import Any, NamedTuple

from structron.errors import TaskError
from structron.reference.checks.hooks import FOREST, FOREST_ORACLE
from structron.reference.forest.hypergraph import Edge, ForestOracle, ForestSpace
from structron.reference.learners.weights import pairs


class _Built(NamedTuple):
    """A state at a node, and True if a gold derivation leads to it."""

    state: Any
    key: Hashable
    good: bool


def check_forest(
    space: ForestSpace[Any], oracle: ForestOracle[Any] | None = None, *, limit: int = 1000
) -> None:
    """Build a forest and raise `TaskError` at the first thing that breaks its contract.

    Parameters
    ----------
    space
        The forest of one input; take a small one, in which all kinds of edges occur.
    oracle
        The oracle, if it is to be checked too.
    limit
        How many states of a node, and combinations of an edge, are looked at.
    """
    FOREST.check_names(space)
    if oracle is not None:
        FOREST_ORACLE.check_names(oracle)
    count = space.nodes()
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise TaskError(f"check_forest: nodes() gives {count!r}; it must be a whole number of at least 1")
    begins = _check_groups(space, count)
    built: list[list[_Built]] = []
    for node in range(count):
        edges = _check_edges(space, node, begins[node])
        built.append(_check_node(space, oracle, node, edges, built, limit))
    if not built[-1]:
        raise TaskError(
            f"check_forest: no derivation leads to node {count - 1}, the goal; "
            "give it an edge whose tails can be built"
        )
    if oracle is not None and not any(each.good for each in built[-1]):
        raise TaskError(
            "check_forest: no gold derivation leads to the goal; "
            "allows() must accept all uses of edges of at least one derivation"
        )


def _check_groups(space: ForestSpace[Any], count: int) -> list[int]:
    """Return the first node of each node's group."""
    begins: list[int] = []
    seen: set[Any] = set()
    for node in range(count):
        group = space.group(node)
        if node and group == space.group(node - 1):
            begins.append(begins[-1])
            continue
        if group in seen:
            raise TaskError(
                f"check_forest: group {group!r} of node {node} was left before; number the nodes so that "
                "those of a group stand together"
            )
        seen.add(group)
        begins.append(node)
    if begins[-1] != count - 1:
        raise TaskError("check_forest: the goal shares its group with other nodes; give it one of its own")
    return begins


def _check_edges(space: ForestSpace[Any], node: int, begin: int) -> list[Edge]:
    edges = list(space.edges(node))
    for edge in edges:
        for tail in edge.tails:
            if not 0 <= tail < begin:
                raise TaskError(
                    f"check_forest: an edge of node {node} has tail {tail}; tails must be numbers of nodes "
                    "below the group of their head"
                )
    if len(set(edges)) < len(edges):
        twice = next(edge for edge in edges if edges.count(edge) > 1)
        raise TaskError(f"check_forest: node {node} has {twice} twice; give them different actions")
    return edges


def _check_node(
    space: ForestSpace[Any],
    oracle: ForestOracle[Any] | None,
    node: int,
    edges: list[Edge],
    built: list[list[_Built]],
    limit: int,
) -> list[_Built]:
    """Return all states of a node; uses of an edge that look alike must have equal results."""
    found: dict[Any, _Built] = {}
    for edge in edges:
        alike: dict[Any, tuple[Any, ...]] = {}
        for below in islice(product(*(built[tail] for tail in edge.tails)), limit):
            states = tuple(each.state for each in below)
            where = f"node {node}, {edge}"
            state = space.join(node, edge, states)
            if state != space.join(node, edge, states):
                raise TaskError(f"check_forest: join() gives different states for {where}; leave out chance")
            if state is None:
                view: tuple[Any, ...] = (None,)
            else:
                key = _hashed(state, space.merge_key(state), where)
                view = (key, *_features(space, node, edge, states, where))
            if alike.setdefault(tuple(each.key for each in below), view) != view:
                raise TaskError(
                    f"check_forest: tails with equal merge keys give different features or merge keys at "
                    f"{where}; add what distinguishes them to merge_key"
                )
            if state is None:
                continue
            good = all(each.good for each in below) and oracle is not None
            if good and oracle is not None:
                good = bool(oracle.allows(node, edge, states))
            known = found.get(state)
            found[state] = _Built(state, key, good or (known is not None and known.good))
    return list(found.values())[:limit]


def _hashed(state: Any, key: Any, where: str) -> Hashable:
    for what, value in (("join()", state), ("merge_key()", key)):
        try:
            hash(value)
        except TypeError:
            raise TaskError(
                f"check_forest: {what} gives a {type(value).__name__} at {where}, which cannot be hashed; "
                "use a tuple, a string or a number"
            ) from None
    return key  # type: ignore[no-any-return]


def _features(
    space: ForestSpace[Any], node: int, edge: Edge, states: tuple[Any, ...], where: str
) -> tuple[tuple[Hashable, float], ...]:
    found = []
    for name, value in pairs(space.features(node, edge, states)):
        if isinstance(value, bool) or not math.isfinite(value):
            raise TaskError(f"check_forest: feature {name!r} has value {value!r} at {where}; give a number")
        found.append((name, float(value)))
    return tuple(sorted(found, key=repr))
