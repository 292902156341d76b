"""Trees whose arcs cross: the test, and pseudo-projective parsing (Nivre & Nilsson 2005).

`lift` moves arcs up until none cross and writes where they came from into the relation (their "head" scheme:
``obj|ccomp`` is an ``obj`` whose true head hangs by ``ccomp``). `lower` undoes this on a parser's output.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from structron import _core

MARK = "|"

Tree = tuple[Sequence[int], Sequence[str]]


def is_projective(heads: Sequence[int]) -> bool:
    """Whether no arcs cross, the root standing before the first word."""
    return _core.projective(heads)


def crossing(heads: Sequence[int]) -> list[int]:
    """The words with an arc over some word that does not descend from the head of the arc."""
    return [word for word in range(1, len(heads) + 1) if not _arc_is_projective(heads, word)]


def lift(tree: Tree, mark: bool = True) -> tuple[list[int], list[str]]:
    """The tree with as few and as small lifts as make it projective, shortest arcs first.

    Parameters
    ----------
    mark
        Write the relation of the true head behind a lifted word's own.
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
    """Marked words go down to where their mark says: breadth first, from their present head.

    A word whose mark leads nowhere waits until others have moved; if it still leads nowhere then, the word
    stays where it is, without the mark.
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
    """The first word with the wanted relation below the head of `word`, which is not below `word` itself."""
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
