"""The best projective tree with features of adjacent siblings: McDonald & Pereira (2006).

Their dynamic program, with an item for two siblings. It uses neither forests nor templates; tests compare the
search over forests with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

# Scores of an arc from head to modifier, and of two children of a head on the same side, the inner one first.
# The inner one is None if the modifier is the first child on its side.
ArcScore = Callable[[int, int], float]
SiblingScore = Callable[[int, int | None, int], float]


class Best(NamedTuple):
    """The best way to build an item: its score and its arcs, each (head, modifier)."""

    score: float
    arcs: tuple[tuple[int, int], ...] = ()


def best_sibling_tree(
    n: int, arc: ArcScore, sibling: SiblingScore, *, single_root: bool = True
) -> tuple[float, list[int]]:
    """Return the score and the heads of the best tree of n words; word 0 is the root.

    Parameters
    ----------
    single_root
        Attach exactly one word to the root.
    """
    # By first and last word: complete to the right and left, incomplete, and two siblings with all between.
    right = {(i, i): Best(0.0) for i in range(n + 1)}
    left = {(i, i): Best(0.0) for i in range(1, n + 1)}
    to_right: dict[tuple[int, int], Best] = {}
    to_left: dict[tuple[int, int], Best] = {}
    pair: dict[tuple[int, int], Best] = {}
    for width in range(1, n + 1):
        for i in range(n - width + 1):
            j = i + width
            inner = range(i + 1, j)
            pair[i, j] = _best(_sum(right[i, r], left[r + 1, j]) for r in range(i, j))
            first = [_sum(left[i + 1, j], gain=sibling(i, None, j))]
            # With a single root, the root has no further child.
            further = [
                _sum(to_right[i, r], pair[r, j], gain=sibling(i, r, j)) for r in inner if i or not single_root
            ]
            to_right[i, j] = _with_arc(_best(first + further), i, j, arc(i, j))
            right[i, j] = _best(_sum(to_right[i, r], right[r, j]) for r in range(i + 1, j + 1))
            if i == 0:
                continue
            first = [_sum(right[i, j - 1], gain=sibling(j, None, i))]
            further = [_sum(pair[i, r], to_left[r, j], gain=sibling(j, r, i)) for r in inner]
            to_left[i, j] = _with_arc(_best(first + further), j, i, arc(j, i))
            left[i, j] = _best(_sum(left[i, r], to_left[r, j]) for r in range(i, j))
    heads = [0] * n
    for head, modifier in right[0, n].arcs:
        heads[modifier - 1] = head
    return right[0, n].score, heads


def _best(found: Iterable[Best]) -> Best:
    return max(found, key=lambda each: each.score)


def _sum(*items: Best, gain: float = 0.0) -> Best:
    arcs = tuple(arc for item in items for arc in item.arcs)
    return Best(sum(item.score for item in items) + gain, arcs)


def _with_arc(item: Best, head: int, modifier: int, score: float) -> Best:
    return Best(item.score + score, (*item.arcs, (head, modifier)))
