"""Forests (hypergraphs): the interface of a task, and the parts of derivations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from structron.reference.learners.weights import Features

State = TypeVar("State")
AnyState = TypeVar("AnyState", contravariant=True)


class Edge(NamedTuple):
    """A hyperedge: it builds a node from its tails, which have smaller numbers; `action` names it."""

    tails: tuple[int, ...]
    action: int


class ForestSpace(Protocol[State]):
    """One input, seen as a forest: outputs are the derivations of its last node, the goal.

    States are compared by value. `check_forest` tests all of this.
    """

    def nodes(self) -> int:
        """Return the number of nodes, in bottom-up order; the last is the goal."""
        ...

    def group(self, node: int) -> int:
        """Return the group whose items compete for the same places: a node, or a cell of several."""
        ...

    def edges(self, node: int) -> Sequence[Edge]:
        """Return the edges that build a node, none twice."""
        ...

    def join(self, node: int, edge: Edge, states: tuple[State, ...]) -> State | None:
        """Return the new state from the states of the tails; None if these do not fit."""
        ...

    def features(self, node: int, edge: Edge, states: tuple[State, ...]) -> Features:
        """Return the features of one use of an edge; Φ of a derivation is the sum over its uses."""
        ...

    def merge_key(self, state: State) -> Hashable:
        """Return a key; equal keys at one node promise equal features here and above."""
        ...


class ForestOracle(Protocol[AnyState]):
    """The gold uses of edges; a derivation is gold if all of its uses are."""

    def allows(self, node: int, edge: Edge, states: tuple[AnyState, ...]) -> bool:
        """Return True if an edge builds gold from gold tails; with a margin, also called for other tails."""
        ...


class Use(NamedTuple):
    """A part of a derivation in a forest: an edge with the states of its tails."""

    node: int
    edge: Edge
    states: tuple[Any, ...]


class Tree(NamedTuple):
    """A derivation: its uses of edges, tails first, and its score."""

    uses: tuple[Use, ...]
    score: float

    @property
    def parts(self) -> tuple[Use, ...]:
        """Return the uses."""
        return self.uses

    def apart_from(self, other: Tree) -> list[Use]:
        """Return the uses that the other lacks."""
        shared = Counter(self.uses) & Counter(other.uses)
        found: list[Use] = []
        for use in self.uses:
            if shared[use]:
                shared[use] -= 1
            else:
                found.append(use)
        return found

    def distance(self, other: Tree) -> float:
        """Count the other's edges that it lacks."""
        mine = Counter((use.node, use.edge) for use in self.uses)
        return float(sum((Counter((use.node, use.edge) for use in other.uses) - mine).values()))

    @property
    def actions(self) -> tuple[int, ...]:
        """Return the actions of its edges."""
        return tuple(use.edge.action for use in self.uses)


@dataclass(eq=False)
class ForestItem:
    """A way to build a node.

    Attributes
    ----------
    rank
        Where it stands in its group.
    gain
        The score of its last edge; with the scores of the tails it is `score`.
    good
        Whether all its uses of edges are gold.
    merged
        All ways to build the node that have the same merge key, itself the first: the hypergraph that is left
        after pruning. Exact search has them all.
    """

    node: int
    state: Any
    score: float
    gain: float
    edge: Edge
    tails: tuple[ForestItem, ...]
    good: bool
    rank: int = -1
    merged: list[ForestItem] = field(default_factory=list)

    @property
    def order(self) -> tuple[Any, ...]:
        """Return a sort key, smaller first: higher score, earlier tails by node and rank, action, node."""
        return (-self.score, tuple((t.node, t.rank) for t in self.tails), self.edge.action, self.node)

    def uses(self) -> list[Use]:
        """Return the uses of edges in its best derivation."""
        found: list[Use] = []
        stack: list[tuple[ForestItem, bool]] = [(self, False)]
        while stack:
            item, is_done = stack.pop()
            if is_done:
                found.append(Use(item.node, item.edge, tuple(tail.state for tail in item.tails)))
            else:
                stack.append((item, True))
                stack += [(tail, False) for tail in reversed(item.tails)]
        return found

    def tree(self) -> Tree:
        """Return its best derivation."""
        return Tree(tuple(self.uses()), self.score)
