"""Crossing arcs for parsers that build none: lifted for training, and put back where labels say so.

Nivre & Nilsson (2005), "Pseudo-projective dependency parsing": a word under a crossing arc is hung on the head
of its head until nothing crosses. With the *head* encoding its relation says which relation the first head
had (``obl↑conj``), by which the way down is found again in what the parser gives.
"""

from __future__ import annotations

from collections.abc import Sequence

from structron.data.trees import Tree, is_projective

LIFTED = "↑"


def lifted(tree: tuple[Sequence[int], Sequence[str]], *, encoded: bool = False) -> Tree:
    """The tree without crossing arcs, by lifting the shortest of them first.

    Parameters
    ----------
    encoded
        Whether the relations of lifted words remember where they came from.

    Examples
    --------
    >>> lifted(([3, 4, 0, 3], ["nmod", "case", "root", "obl"]), encoded=True)
    Tree(heads=[3, 3, 0, 3], labels=['nmod', 'case↑obl', 'root', 'obl'])
    """
    heads, labels = list(tree[0]), list(tree[1])
    gold = [label.partition(LIFTED)[0] for label in labels]
    while (word := _shortest_crossing(heads)) is not None:
        above = heads[word - 1]
        if encoded and LIFTED not in labels[word - 1]:
            labels[word - 1] = f"{gold[word - 1]}{LIFTED}{gold[above - 1]}"
        heads[word - 1] = heads[above - 1]
    return Tree(heads, labels)


def _shortest_crossing(heads: Sequence[int]) -> int | None:
    """The word of the shortest arc that spans a word which does not hang below its head."""
    if is_projective(heads):
        return None
    found: tuple[int, int] | None = None
    for word, head in enumerate(heads, 1):
        length = abs(word - head)
        if head and (found is None or length < found[0]):
            between = range(min(word, head) + 1, max(word, head))
            if not all(_below(heads, inner, head) for inner in between):
                found = (length, word)
    return None if found is None else found[1]


def _below(heads: Sequence[int], word: int, ancestor: int) -> bool:
    while word:
        if word == ancestor:
            return True
        word = heads[word - 1]
    return False


def lowered(tree: tuple[Sequence[int], Sequence[str]]) -> Tree:
    """A parser's tree with its lifted words put back: each on the nearest word below its head, breadth first
    and from the left, whose relation is the one it remembers; where there is none it stays.

    Examples
    --------
    >>> lowered(([3, 3, 0, 3], ["nmod", "case↑obl", "root", "obl"]))
    Tree(heads=[3, 4, 0, 3], labels=['nmod', 'case', 'root', 'obl'])
    """
    heads, labels = list(tree[0]), [label.partition(LIFTED)[0] for label in tree[1]]
    marked = [word for word, label in enumerate(tree[1], 1) if LIFTED in label]
    # Those nearest to the root first: what hangs on them then hangs in its place.
    for word in sorted(marked, key=lambda word: (_depth(heads, word), word)):
        wanted = tree[1][word - 1].partition(LIFTED)[2]
        level = [heads[word - 1]]
        while level:
            level = [w for h in level for w, head in enumerate(heads, 1) if head == h and w != word]
            place = next((w for w in level if labels[w - 1] == wanted), None)
            if place is not None:
                heads[word - 1] = place
                break
    return Tree(heads, labels)


def _depth(heads: Sequence[int], word: int) -> int:
    depth = 0
    while word:
        word, depth = heads[word - 1], depth + 1
    return depth
