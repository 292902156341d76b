"""Search over forests (hypergraphs): inside-Viterbi and cube pruning, with the gold side beside it.

A forest has nodes in bottom-up order; an edge leads from its tails, which are nodes below, to its head. An
item of a node is one way to build it, as far as features can still see of it (its state). Exact search keeps
the best item of every merge key (Viterbi, bottom-up). With a width, a group of nodes keeps at most so many
items, and they are found by cube pruning: of every edge with several tails the combination of the best tail
items first, then its neighbours (Chiang 2007; for dependency trees Zhang & McDonald 2012). Violations at
nodes are those of Zhang, Huang, Zhao & McDonald (2013).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structron.errors import TaskError
from structron.reference.checks.hooks import FOREST, FOREST_ORACLE
from structron.reference.forest.forest_kbest import kbest
from structron.reference.forest.hypergraph import Edge, ForestItem, ForestOracle, ForestSpace, Tree
from structron.reference.learners.weights import Weights

WIDEST = 1024  # beyond it search is exact


@dataclass(frozen=True, eq=False)
class ForestTrace:
    """The bins of a forest search: its nodes, in bottom-up order.

    Attributes
    ----------
    items
        For each node the items kept, best first.
    gold_items
        The items of the search restricted to gold; it neither sees nor changes the other,
        so that gold is scored also where the free search has pruned it.
    """

    space: Any
    items: list[list[ForestItem]]
    gold_items: list[list[ForestItem]]

    @property
    def final(self) -> int:
        """Return the goal."""
        return len(self.items) - 1

    @property
    def best_score(self) -> NDArray[np.float64]:
        """Return the best score of each node; NaN if nothing is left."""
        return np.array([items[0].score if items else np.nan for items in self.items], dtype=np.float64)

    @property
    def gold_score(self) -> NDArray[np.float64]:
        """Return the best gold score of each node; NaN if no gold derivation passes.

        It is NaN also at nodes of which a forest says that they are not to be compared.
        """
        scores = np.array([items[0].score if items else np.nan for items in self.gold_items], np.float64)
        is_compared = FOREST.of(self.space, "is_compared")
        if is_compared is not None:
            scores[[node for node in range(len(scores)) if not is_compared(node)]] = np.nan
        return scores

    @property
    def gold_in_beam(self) -> NDArray[np.bool_]:
        """Return for each node True if a gold item is retained."""
        return np.array([any(item.good for item in items) for items in self.items], dtype=np.bool_)

    @property
    def best_is_gold(self) -> NDArray[np.bool_]:
        """Return for each node True if its best item is gold."""
        return np.array([bool(items) and items[0].good for items in self.items], dtype=np.bool_)

    @property
    def fallen(self) -> NDArray[np.bool_]:
        """Return True for gold nodes without a gold derivation left, and so for the gold nodes above."""
        return np.asarray(~self.gold_in_beam & ~np.isnan(self.gold_score))

    def span(self, node: int) -> tuple[int, int]:
        """Return the part of the input that a node covers."""
        span = FOREST.of(self.space, "span")
        if span is None:
            raise TaskError(
                f"parallel: {type(self.space).__name__} has no method span, so it is not known which nodes "
                "overlap; give it a method span(node), or use max_violation"
            )
        begin, end = span(node)
        return begin, end

    def best(self, node: int) -> Tree:
        """Return the best derivation of a node."""
        return self.items[node][0].tree()

    def gold(self, node: int) -> Tree:
        """Return the best gold derivation of a node."""
        if not self.gold_items[node]:
            raise IndexError(f"no gold derivation passes node {node}")
        return self.gold_items[node][0].tree()

    def kbest(self, k: int, node: int | None = None) -> list[Tree]:
        """Return the `k` best derivations of a node, by default the goal, best first (see `kbest`)."""
        return kbest(self.items[self.final if node is None else node], k)

    def derivations(self, node: int | None = None) -> int:
        """Count the derivations of a node that are left after pruning."""
        known: dict[int, int] = {}

        def count(item: ForestItem) -> int:
            if id(item) not in known:
                known[id(item)] = sum(
                    int(np.prod([count(tail) for tail in way.tails], dtype=object)) for way in item.merged
                )
            return known[id(item)]

        return sum(count(item) for item in self.items[self.final if node is None else node])


def forest(
    space: ForestSpace[Any],
    weights: Weights,
    width: int | None = None,
    oracle: ForestOracle[Any] | None = None,
    *,
    margin: float = 0.0,
) -> ForestTrace:
    """Build the forest bottom-up.

    Parameters
    ----------
    width
        How many items a group keeps, with different merge keys, found by cube pruning; None keeps one of
        every key and looks at all combinations. Where pruning leaves nothing at the goal, search begins
        again with twice the width.
    oracle
        The oracle; the gold side is the same search, restricted. An oracle that is `exhaustive` has few
        gold items: all are kept, the best of each key.
    margin
        Cost-augmented search: every use of an edge that the oracle does not allow scores this much more, in
        the free search.
    """
    free = _Side(space, weights, width, oracle, margin, restricted=False).built()
    wider = width
    while wider is not None and free and not free[-1]:
        wider = 2 * wider if wider < WIDEST else None
        free = _Side(space, weights, wider, oracle, margin, restricted=False).built()
    gold = [[] for _ in free] if oracle is None else _gold(space, weights, width, oracle)
    if not free or not free[-1]:
        raise TaskError("forest: the goal cannot be built; see check_forest")
    return ForestTrace(space, free, gold)


def _gold(
    space: ForestSpace[Any], weights: Weights, width: int | None, oracle: ForestOracle[Any]
) -> list[list[ForestItem]]:
    kept = None if FOREST_ORACLE.of(oracle, "exhaustive") else width
    return _Side(space, weights, kept, oracle, 0.0, restricted=True).built()


class _Side:
    """One side of a search."""

    def __init__(
        self,
        space: ForestSpace[Any],
        weights: Weights,
        width: int | None,
        oracle: ForestOracle[Any] | None,
        margin: float,
        *,
        restricted: bool,
    ) -> None:
        self.space, self.weights, self.width = space, weights, width
        self.oracle, self.margin, self.restricted = oracle, margin, restricted
        self.items: list[list[ForestItem]] = []

    def built(self) -> list[list[ForestItem]]:
        """Return the items of all nodes, built group by group."""
        count = self.space.nodes()
        self.items = [[] for _ in range(count)]
        node = 0
        while node < count:
            after = node + 1
            while after < count and self.space.group(after) == self.space.group(node):
                after += 1
            self._close(range(node, after))
            node = after
        return self.items

    def _close(self, nodes: range) -> None:
        """Find the items of a group, and give each its place."""
        found = self._all(nodes) if self.width is None else self._cubes(nodes, self.width)
        classes: dict[Hashable, list[ForestItem]] = {}
        for item in sorted(found, key=lambda each: each.order):
            classes.setdefault(self._key(item), []).append(item)
        for rank, alike in enumerate(list(classes.values())[: self.width]):
            alike[0].rank, alike[0].merged = rank, alike
            self.items[alike[0].node].append(alike[0])

    def _all(self, nodes: range) -> Iterator[ForestItem]:
        for node in nodes:
            for edge in self.space.edges(node):
                for tails in product(*(self.items[tail] for tail in edge.tails)):
                    item = self._joined(node, edge, tails)
                    if item is not None:
                        yield item

    def _cubes(self, nodes: range, width: int) -> Iterator[ForestItem]:
        """Yield combinations in the order of cube pruning, until there are enough different keys.

        A forest with many ways to say the same may have `patience`: so many times the width are tried.
        """
        heap: list[tuple[Any, int, Any, ForestItem]] = []
        asked: set[tuple[int, Edge, tuple[int, ...]]] = set()

        def offer(node: int, edge: Edge, at: tuple[int, ...]) -> None:
            """Put a combination into the heap; where it does not fit, its neighbours in its place."""
            if (node, edge, at) in asked:
                return
            asked.add((node, edge, at))
            lists = [self.items[tail] for tail in edge.tails]
            if any(k >= len(items) for k, items in zip(at, lists)):
                return
            item = self._joined(node, edge, tuple(items[k] for k, items in zip(at, lists)))
            if item is None:
                neighbours(node, edge, at)
            else:
                heapq.heappush(heap, (item.order, len(asked), at, item))

        def neighbours(node: int, edge: Edge, at: tuple[int, ...]) -> None:
            for k in range(len(at)):
                offer(node, edge, (*at[:k], at[k] + 1, *at[k + 1 :]))

        for node in nodes:
            for edge in self.space.edges(node):
                # With one tail there is no cube, so look at all its items, as in a beam.
                only = edge.tails[0] if len(edge.tails) == 1 else None
                for k in range(1 if only is None else len(self.items[only])):
                    offer(node, edge, (k,) if only is not None else (0,) * len(edge.tails))
        keys: set[Hashable] = set()
        patience = FOREST.of(self.space, "patience")
        tries = math.inf if patience is None else patience * width
        while heap and len(keys) < width and tries > 0:
            tries -= 1
            _, _, at, item = heapq.heappop(heap)
            keys.add(self._key(item))
            yield item
            neighbours(item.node, item.edge, at)

    def _key(self, item: ForestItem) -> Hashable:
        """Return the key for merging; on the gold side it includes what the oracle distinguishes."""
        own = FOREST_ORACLE.of(self.oracle, "merge_key") if self.restricted else None
        key = self.space.merge_key(item.state)
        return (item.node, key, None if own is None else own(item.state))

    def _joined(self, node: int, edge: Edge, tails: tuple[ForestItem, ...]) -> ForestItem | None:
        """Return one use of an edge; None if the tails do not fit, or on the gold side if it is not gold."""
        states = tuple(tail.state for tail in tails)
        state = self.space.join(node, edge, states)
        if state is None:
            return None
        good = self.oracle is not None and all(tail.good for tail in tails)
        good = good and self.oracle is not None and self.oracle.allows(node, edge, states)
        if self.restricted and not good:
            return None
        gain = self.weights.score(self.space.features(node, edge, states))
        if self.margin and self.oracle is not None:
            right: Callable[..., bool] = FOREST_ORACLE.of(self.oracle, "right") or self.oracle.allows
            gain += 0.0 if right(node, edge, states) else self.margin
        score = gain
        for tail in tails:
            score += tail.score
        return ForestItem(node, state, score, gain, edge, tails, good)
