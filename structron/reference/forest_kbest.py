"""The k best derivations in a forest, lazily: Huang & Chiang (2005), Algorithm 3."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import NamedTuple

from structron.reference.hypergraph import ForestItem, Tree, Use


def kbest(items: Sequence[ForestItem], k: int) -> list[Tree]:
    """The `k` best derivations of items of one node, lazily (Huang & Chiang 2005, Algorithm 3).

    Of equal scores the item that stands first comes first, then the way to build it that does, then the
    better derivations of earlier tails.
    """
    lazy = _Lazy()
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
    """The n-th best derivation of an item: which way to build it, and which derivations of its tails."""

    score: float
    way: int
    ranks: tuple[int, ...]


class _Lazy:
    """Derivations of items, best first, found when they are asked for."""

    def __init__(self) -> None:
        self._found: dict[int, list[_Ranked]] = {}
        self._heap: dict[int, list[tuple[float, int, tuple[int, ...]]]] = {}
        self._asked: dict[int, set[tuple[int, tuple[int, ...]]]] = {}

    def get(self, item: ForestItem, n: int) -> _Ranked | None:
        """The n-th best, from 0; None if there are fewer."""
        name = id(item)
        if name not in self._found:
            self._found[name], self._heap[name], self._asked[name] = [], [], set()
            for way, each in enumerate(item.merged):
                self._offer(item, way, (0,) * len(each.tails))
        found, heap = self._found[name], self._heap[name]
        while len(found) <= n and heap:
            minus_score, way, ranks = heapq.heappop(heap)
            found.append(_Ranked(-minus_score, way, ranks))
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

    def tree(self, item: ForestItem, n: int) -> Tree:
        """The n-th best derivation."""
        ranked = self.get(item, n)
        assert ranked is not None
        way = item.merged[ranked.way]
        uses: list[Use] = []
        for tail, rank in zip(way.tails, ranked.ranks):
            uses += self.tree(tail, rank).uses
        return Tree((*uses, Use(way.node, way.edge, tuple(t.state for t in way.tails))), ranked.score)
