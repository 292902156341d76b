"""Forests (hypergraphs): what a task must offer, and what derivations in them are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from structron.reference.learners.weights import Features

State = TypeVar("State")
AnyState = TypeVar("AnyState", contravariant=True)


class Edge(NamedTuple):
    """A way to build a node from its tails, nodes with smaller numbers; `action` says which way it is."""

    tails: tuple[int, ...]
    action: int


class ForestSpace(Protocol[State]):
    """One input, seen as a forest: outputs are the derivations of its last node, the goal.

    States are compared by value. `check_forest` tests all of this.
    """

    def nodes(self) -> int:
        """How many nodes there are, in bottom-up order; the last is the goal."""
        ...

    def group(self, node: int) -> int:
        """Whose items compete for the same places: those of the node alone, or of a cell of several."""
        ...

    def edges(self, node: int) -> Sequence[Edge]:
        """The ways to build a node, none twice."""
        ...

    def join(self, node: int, edge: Edge, states: tuple[State, ...]) -> State | None:
        """What features can see of the result, from the states of the tails; None if these do not fit."""
        ...

    def features(self, node: int, edge: Edge, states: tuple[State, ...]) -> Features:
        """The features of one use of an edge; Φ of a derivation is the sum over its uses."""
        ...

    def merge_key(self, state: State) -> Hashable:
        """Equal keys at one node promise equal features, and equal keys of all that is built from them."""
        ...


class ForestOracle(Protocol[AnyState]):
    """Which uses of edges are gold; a derivation is gold if all of its uses are."""

    def allows(self, node: int, edge: Edge, states: tuple[AnyState, ...]) -> bool:
        """Whether an edge builds gold from gold tails; with a margin, asked of others too."""
        ...


class Use(NamedTuple):
    """A part of a derivation in a forest: an edge with the states of its tails."""

    node: int
    edge: Edge
    states: tuple[Any, ...]


class Tree(NamedTuple):
    """A derivation: its uses of edges, those of the tails before their own, and its score."""

    uses: tuple[Use, ...]
    score: float

    @property
    def parts(self) -> tuple[Use, ...]:
        """The uses."""
        return self.uses

    def apart_from(self, other: Tree) -> list[Use]:
        """The uses that the other has not."""
        shared = Counter(self.uses) & Counter(other.uses)
        found: list[Use] = []
        for use in self.uses:
            if shared[use]:
                shared[use] -= 1
            else:
                found.append(use)
        return found

    def distance(self, other: Tree) -> float:
        """How many of the other's edges it has not."""
        mine = Counter((use.node, use.edge) for use in self.uses)
        return float(sum((Counter((use.node, use.edge) for use in other.uses) - mine).values()))

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions of its edges."""
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
        """Smaller is better: higher score, then earlier tails by node and rank, lower action, node."""
        return (-self.score, tuple((t.node, t.rank) for t in self.tails), self.edge.action, self.node)

    def uses(self) -> list[Use]:
        """The uses of edges in its best derivation."""
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
        """Its best derivation."""
        return Tree(tuple(self.uses()), self.score)
