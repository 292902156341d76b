"""Which arcs a chart may have: those next to each word, and those that agree with what is known."""

from __future__ import annotations

from collections.abc import Sequence


def neighbouring(n: int) -> frozenset[tuple[int, int]]:
    """Return the arcs from the root and from the words next to each word, in a sentence of n words.

    Chains of them can be put between any two words, so that every other arc fits into a tree with them.

    >>> sorted(neighbouring(2))
    [(0, 1), (0, 2), (1, 2), (2, 1)]
    """
    arcs = ((head, word) for word in range(1, n + 1) for head in (0, word - 1, word + 1))
    return frozenset((head, word) for head, word in arcs if head <= n)


def known_arcs(heads: Sequence[int | None]) -> frozenset[tuple[int, int]]:
    """Return head and word of every word whose head is known."""
    return frozenset((head, word) for word, head in enumerate(heads, 1) if head is not None)


def agreeing(heads: Sequence[int | None]) -> frozenset[tuple[int, int]]:
    """Return all arcs that agree with the heads that are known."""
    words = range(len(heads) + 1)
    free = [word for word in words[1:] if heads[word - 1] is None]
    return known_arcs(heads) | frozenset((head, word) for word in free for head in words if head != word)
