"""Trees that are known in part: heads and relations, None where nobody knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structron.io.values.trees import PartialTree as PartialTree


def is_partial(tree: tuple[Sequence[Any], Sequence[Any]]) -> bool:
    """Return True if some head or relation is not known."""
    heads, labels = tree
    return None in heads or None in labels


def without_crossing(tree: PartialTree) -> tuple[list[int | None], list[str | None]]:
    """Forget arcs that no projective tree has, the longest first, until there is one that has all others.

    >>> without_crossing(([3, 4, None, 0], ["a", "b", None, "c"]))
    ([None, 4, None, 0], [None, 'b', None, 'c'])
    """
    heads, labels = list(tree[0]), list(tree[1])
    while crossed := _crossed(heads) or _covering(heads):
        word = max(crossed, key=lambda w: (abs(w - (heads[w - 1] or 0)), -w))
        heads[word - 1] = labels[word - 1] = None
    return heads, labels


def _crossed(heads: Sequence[int | None]) -> list[int]:
    """Return the words whose arcs cross others; those from the root are let be if they can."""
    arcs = [(min(w, h), max(w, h), w) for w, h in enumerate(heads, 1) if h is not None]
    found = {
        word
        for a, b, first in arcs
        for c, d, second in arcs
        if a < c < b < d
        for word in (first, second)
        if heads[word - 1] != 0
    }
    return sorted(found)


def _covering(heads: Sequence[int | None]) -> list[int]:
    """Return the words whose arcs make some arc run over an ancestor of its head.

    Whatever lies below an arc of a projective tree descends from its head.
    """
    found: set[int] = set()
    for word, head in enumerate(heads, 1):
        chain = [word]
        while head:  # every ancestor of the word, beginning with its head
            if min(word, heads[word - 1] or 0) < head < max(word, heads[word - 1] or 0):
                found.update(chain)
            chain.append(head)
            head = heads[head - 1]
    return sorted(found)
