"""The derivations of a chart, listed one by one; `structron.theory.confusion` lists the paths of a beam."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from structron.reference.forest.hypergraph import Tree, Use
from structron.reference.learners.mixed_assignments import decisions
from structron.reference.learners.weights import SparseVector, pairs
from structron.reference.sequence.bins import Part, is_gold


class ChartDerivation(NamedTuple):
    """A derivation of a node: its uses of edges, its state, Φ, and True if it is gold."""

    tree: Tree
    state: Any
    phi: SparseVector
    good: bool


def is_chart(space: Any) -> bool:
    """Return True if a space is a forest, and not a graph of states."""
    return hasattr(space, "edges")


def chart_rows(space: Any, oracle: Any, *, prefixes: bool, limit: int) -> list[list[ChartDerivation]] | None:
    """Return all derivations by node, or those of the goal; None if there are more than `limit` in all."""
    nodes: list[list[ChartDerivation]] = []
    count = 0
    for node in range(space.nodes()):
        nodes.append([])
        for found in _built(space, oracle, node, nodes):
            count += 1
            if count > limit:
                return None
            nodes[node].append(found)
    return nodes if prefixes else nodes[-1:]


def _built(
    space: Any, oracle: Any, node: int, nodes: Sequence[Sequence[ChartDerivation]]
) -> Iterator[ChartDerivation]:
    for edge in space.edges(node):
        for tails in product(*(nodes[tail] for tail in edge.tails)):
            states = tuple(tail.state for tail in tails)
            state = space.join(node, edge, states)
            if state is None:
                continue
            use = Use(node, edge, states)
            phi = vector_of(space, [use])
            for tail in tails:
                for name, value in tail.phi.items():
                    phi[name] = phi.get(name, 0.0) + value
            uses = (*(each for tail in tails for each in tail.tree.uses), use)
            good = all(tail.good for tail in tails) and oracle.allows(node, edge, states)
            yield ChartDerivation(Tree(uses, 0.0), state, phi, good)


def vector_of(space: Any, parts: Iterable[Part]) -> SparseVector:
    """Return Φ of a bag of parts."""
    phi: SparseVector = {}
    for part in parts:
        for name, value in pairs(space.features(*part)):
            phi[name] = phi.get(name, 0.0) + value
    return phi


def mixed_pairs(
    space: Any,
    oracle: Any,
    row: Sequence[ChartDerivation],
    substructures: Callable[[Sequence[Any], Sequence[Any]], Iterable[Iterable[int]]],
) -> Iterator[tuple[SparseVector, SparseVector]]:
    """Yield Φ of gold and of every mixed assignment that is not gold, for the derivations of one node."""
    for gold in row:
        if not gold.good:
            continue
        for guess in row:
            both = decisions(space, gold.tree, guess.tree)
            wrong = frozenset(k for k, (a, b) in enumerate(both) if a != b)
            sets = substructures([a for a, _ in both], [b for _, b in both])
            for positions in {frozenset(each) & wrong for each in sets}:
                mixed = space.mixed(gold.tree, guess.tree, positions)
                if not is_gold(oracle, mixed):
                    yield gold.phi, vector_of(space, mixed.parts)
