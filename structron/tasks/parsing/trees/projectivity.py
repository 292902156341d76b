"""Crossing arcs: how to find them, and pseudo-projective parsing (Nivre & Nilsson 2005).

`lift` moves arcs up until none cross and records the original head in the relation (their "head" scheme:
``obj|ccomp`` is an ``obj`` whose true head has the relation ``ccomp``). `lower` undoes this in a parser's
output.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from structron import _core

MARK = "|"

Tree = tuple[Sequence[int], Sequence[str]]


def is_projective(heads: Sequence[int]) -> bool:
    """Return True if no arcs cross; the root stands before the first word."""
    return _core.projective(heads)


def crossing(heads: Sequence[int]) -> list[int]:
    """Return the words whose arc spans a word that does not descend from the arc's head."""
    return [word for word in range(1, len(heads) + 1) if not _arc_is_projective(heads, word)]


def lift(tree: Tree, mark: bool = True) -> tuple[list[int], list[str]]:
    """Make a tree projective with as few and as small lifts as possible, shortest arcs first.

    Parameters
    ----------
    mark
        Append the relation of the true head to that of a lifted word.
    """
    heads, labels = list(tree[0]), list(tree[1])
    lifted: dict[int, int] = {}
    while not is_projective(heads):
        word = min(crossing(heads), key=lambda w: (abs(w - heads[w - 1]), w))
        lifted.setdefault(word, heads[word - 1])
        heads[word - 1] = heads[heads[word - 1] - 1]
    if mark:
        for word, head in lifted.items():
            labels[word - 1] += MARK + tree[1][head - 1]
    return heads, labels


def lower(tree: Tree) -> tuple[list[int], list[str]]:
    """Move marked words down to the heads that their marks name, breadth first from their present head.

    A word whose mark names no head waits until others have moved. If there is still no such head, the word
    stays where it is and loses its mark.
    """
    heads, labels = list(tree[0]), [label.partition(MARK)[0] for label in tree[1]]
    waiting = [(word, label.partition(MARK)[2]) for word, label in enumerate(tree[1], 1) if MARK in label]
    moved = True
    while moved:
        moved = False
        for word, wanted in list(waiting):
            found = _first_below(heads, labels, word, wanted)
            if found is not None:
                heads[word - 1] = found
                waiting.remove((word, wanted))
                moved = True
    return heads, labels


def _first_below(heads: Sequence[int], labels: Sequence[str], word: int, wanted: str) -> int | None:
    """Find the first word below the head of `word` with the wanted relation, but not below `word`."""
    queue = deque([heads[word - 1]])
    while queue:
        head = queue.popleft()
        for child in (c for c, h in enumerate(heads, 1) if h == head and c != word):
            if labels[child - 1] == wanted:
                return child
            queue.append(child)
    return None


def _arc_is_projective(heads: Sequence[int], word: int) -> bool:
    head = heads[word - 1]
    for between in range(min(word, head) + 1, max(word, head)):
        while between not in (0, head):
            between = heads[between - 1]
        if between != head:
            return False
    return True
