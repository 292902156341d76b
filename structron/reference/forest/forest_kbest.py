"""The k best derivations in a forest, lazily: Huang & Chiang (2005), Algorithm 3."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from structron.reference.forest.hypergraph import ForestItem, Tree, Use

Output = Callable[[Tree], Hashable]


def kbest(items: Sequence[ForestItem], k: int, output: Output | None = None) -> list[Tree]:
    """Find the `k` best derivations of items of one node, lazily (Huang & Chiang 2005, Algorithm 3).

    Ties go to the first item, then to the first way to build it, then to the
    better derivations of earlier tails. With `output`, which says what a derivation yields, there is only the
    best of those of an item that yield the same.
    """
    lazy = _Lazy(output)
    heap: list[tuple[float, int, int]] = []
    for place, item in enumerate(items):
        first = lazy.get(item, 0)
        if first is not None:
            heapq.heappush(heap, (-first.score, place, 0))
    found: list[Tree] = []
    while heap and len(found) < k:
        _, place, n = heapq.heappop(heap)
        found.append(lazy.tree(items[place], n))
        following = lazy.get(items[place], n + 1)
        if following is not None:
            heapq.heappush(heap, (-following.score, place, n + 1))
    return found


class _Ranked(NamedTuple):
    """The n-th best derivation of an item: the choice of back-pointer and the ranks of its tails."""

    score: float
    way: int
    ranks: tuple[int, ...]


class _Lazy:
    """Derivations of items, best first, computed on demand."""

    def __init__(self, output: Output | None = None) -> None:
        self._output = output
        self._known: dict[int, set[Hashable]] = {}
        self._found: dict[int, list[_Ranked]] = {}
        self._heap: dict[int, list[tuple[float, int, tuple[int, ...]]]] = {}
        self._asked: dict[int, set[tuple[int, tuple[int, ...]]]] = {}

    def get(self, item: ForestItem, n: int) -> _Ranked | None:
        """Return the n-th best, from 0; None if there are fewer."""
        name = id(item)
        if name not in self._found:
            self._found[name], self._heap[name], self._asked[name] = [], [], set()
            self._known[name] = set()
            for way, each in enumerate(item.merged):
                self._offer(item, way, (0,) * len(each.tails))
        found, heap = self._found[name], self._heap[name]
        while len(found) <= n and heap:
            minus_score, way, ranks = heapq.heappop(heap)
            ranked = _Ranked(-minus_score, way, ranks)
            if self._is_new(item, ranked):
                found.append(ranked)
            for k in range(len(ranks)):
                self._offer(item, way, (*ranks[:k], ranks[k] + 1, *ranks[k + 1 :]))
        return found[n] if n < len(found) else None

    def _offer(self, item: ForestItem, way: int, ranks: tuple[int, ...]) -> None:
        if (way, ranks) in self._asked[id(item)]:
            return
        self._asked[id(item)].add((way, ranks))
        score = item.merged[way].gain
        for tail, rank in zip(item.merged[way].tails, ranks):
            below = self.get(tail, rank)
            if below is None:
                return
            score += below.score
        heapq.heappush(self._heap[id(item)], (-score, way, ranks))

    def _is_new(self, item: ForestItem, ranked: _Ranked) -> bool:
        """Return True if no better derivation of the item has the same output."""
        if self._output is None:
            return True
        said, known = self._output(self._tree(item, ranked)), self._known[id(item)]
        is_new = said not in known
        known.add(said)
        return is_new

    def tree(self, item: ForestItem, n: int) -> Tree:
        """Return the n-th best derivation."""
        ranked = self.get(item, n)
        assert ranked is not None
        return self._tree(item, ranked)

    def _tree(self, item: ForestItem, ranked: _Ranked) -> Tree:
        way = item.merged[ranked.way]
        uses: list[Use] = []
        for tail, rank in zip(way.tails, ranked.ranks):
            uses += self.tree(tail, rank).uses
        return Tree((*uses, Use(way.node, way.edge, tuple(t.state for t in way.tails))), ranked.score)
