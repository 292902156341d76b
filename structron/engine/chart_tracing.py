"""Conversion of the engine's arrays to the definition's `ForestTrace`; `structron.engine.tracing` does it for
beams.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structron.reference.forest.forest import ForestTrace
from structron.reference.forest.hypergraph import Edge, ForestItem, ForestOracle, Tree, Use


def chart_of(found: Mapping[str, Any]) -> ForestTrace:
    """Convert the engine's chart to the definition's.

    Besides what the engine says, `found` has the ``space`` whose nodes these are, and its ``oracle`` or None.
    """
    space = found["space"]
    items = _items(space, found["items"], found["ranks"])
    gold_score = np.full(len(items), np.nan)
    if found["oracle"] is not None:
        gold_score[:] = found["gold_score"]
    if "gold_items" in found:  # many derivations are gold, and the engine has found the best
        return ForestTrace(space, items, _items(space, found["gold_items"], found["gold_ranks"]))
    return EngineChart(space, items, [[] for _ in items], gold_score, found["oracle"])


def _items(
    space: Any, nodes: Sequence[Sequence[Any]], ranks: Sequence[Sequence[int]]
) -> list[list[ForestItem]]:
    items: list[list[ForestItem]] = []
    for node, listed in enumerate(nodes):
        made = []
        # The engine's state is a number of its own.
        for rank, (score, gain, action, tails, _, good) in zip(ranks[node], listed):
            below = tuple(items[tail][ranks[tail].index(at)] for tail, at in tails)
            edge = Edge(tuple(tail for tail, _ in tails), action)
            state = space.join(node, edge, tuple(tail.state for tail in below))
            made.append(ForestItem(node, state, score, gain, edge, below, bool(good), rank))
            made[-1].merged = [made[-1]]
        items.append(made)
    return items


@dataclass(frozen=True, eq=False)
class EngineChart(ForestTrace):
    """A chart with the engine's gold score of every node.

    The gold derivation is found when it is asked for: this is for spaces in which an output has only one. Of
    the k best only those are known that end in different items; a model's own `kbest` knows all.
    """

    gold_scores: NDArray[np.float64]
    oracle: ForestOracle[Any] | None
    _known: dict[int, list[Use]] = field(default_factory=dict)

    @property
    def gold_score(self) -> NDArray[np.float64]:
        """Return the gold score of each node; NaN if gold does not pass."""
        return self.gold_scores

    def gold(self, node: int) -> Tree:
        """Return the gold derivation of a node."""
        if np.isnan(self.gold_scores[node]):
            raise IndexError(f"no gold derivation passes node {node}")
        return Tree(tuple(self._gold_uses(node)), float(self.gold_scores[node]))

    def _gold_uses(self, node: int) -> list[Use]:
        stack = [node]
        while stack:  # from the bottom up, without recursion: charts are deep
            at = stack[-1]
            edge = self._gold_edge(at)
            below = [tail for tail in edge.tails if tail not in self._known]
            if below:
                stack += below
                continue
            stack.pop()
            states = tuple(self._state(tail) for tail in edge.tails)
            uses = [use for tail in edge.tails for use in self._known[tail]]
            self._known[at] = [*uses, Use(at, edge, states)]
        return self._known[node]

    def _gold_edge(self, node: int) -> Edge:
        assert self.oracle is not None
        for edge in self.space.edges(node):
            passes = not any(np.isnan(self.gold_scores[tail]) for tail in edge.tails)
            if passes and self.oracle.allows(node, edge, ()):
                found: Edge = edge
                return found
        raise IndexError(f"no gold derivation passes node {node}")

    def _state(self, node: int) -> Any:
        """Return the state of the gold item of a node that features see."""
        last = self._known[node][-1]
        return self.space.join(node, last.edge, last.states)
