"""The oracle of graph-based parsing."""

from __future__ import annotations

from collections.abc import Sequence

from structron.reference.forest.hypergraph import Edge
from structron.tasks.parsing.graph.space import GraphSpace


class GraphOracle:
    """A gold tree: heads and numbers of relations, None where nobody knows.

    A margin is asked for wrong arcs alone.
    """

    def __init__(self, space: GraphSpace, heads: Sequence[int | None], labels: Sequence[int | None]) -> None:
        self._items, self._heads, self._labels = space.items, heads, labels

    def allows(self, node: int, edge: Edge, states: tuple[object, ...]) -> bool:
        """Return True unless this is an arc that is not gold."""
        item = self._items[node]
        if item.shape[0] != "A":
            return True
        head, word = item.arc
        return self._heads[word - 1] in (None, head) and self._labels[word - 1] in (None, edge.action)
