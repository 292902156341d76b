"""The oracle of graph-based parsing."""

from __future__ import annotations

from collections.abc import Sequence

from structron.reference.forest.hypergraph import Edge
from structron.tasks.parsing.graph.space import GraphSpace


class GraphOracle:
    """A gold tree: heads and numbers of relations. A margin is asked for wrong arcs alone."""

    def __init__(self, space: GraphSpace, heads: Sequence[int], labels: Sequence[int]) -> None:
        self._items = space.items
        self._gold = {(head, word, label) for word, (head, label) in enumerate(zip(heads, labels), 1)}

    def allows(self, node: int, edge: Edge, states: tuple[object, ...]) -> bool:
        """Return True unless this is an arc that is not gold."""
        item = self._items[node]
        return item.shape[0] != "A" or (*item.arc, edge.action) in self._gold
