"""One set of links from the alignments of two directions (Och & Ney 2003; Koehn et al. 2007)."""

from __future__ import annotations

from collections.abc import Iterable

Link = tuple[int, int]
Links = set[Link]

METHODS = ("intersection", "union", "grow-diag-final-and")
_NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def symmetrise(forth: Iterable[Link], back: Iterable[Link], method: str) -> list[Link]:
    """Return the links (source position, target position) that a method selects, sorted."""
    a, b = set(forth), set(back)
    if method == "intersection":
        return sorted(a & b)
    if method == "union":
        return sorted(a | b)
    return sorted(grow_diag_final_and(a, b))


def grow_diag_final_and(a: Links, b: Links) -> Links:
    """Grow from common links to neighbours that cover a new word, then add links of two new words.

    Growing goes round by round over what the round before has added, in sorted order, and from each link to
    its neighbours in the order of `_NEIGHBOURS`.
    """
    found, union = a & b, a | b
    sources, targets = {i for i, _ in found}, {j for _, j in found}
    fresh = sorted(found)
    while fresh:
        added = []
        for i, j in fresh:
            for di, dj in _NEIGHBOURS:
                link = i + di, j + dj
                if link in union and link not in found and (link[0] not in sources or link[1] not in targets):
                    found.add(link)
                    added.append(link)
                    sources.add(link[0])
                    targets.add(link[1])
        fresh = sorted(added)
    for side in (a, b):
        for i, j in sorted(side):
            if i not in sources and j not in targets:
                found.add((i, j))
                sources.add(i)
                targets.add(j)
    return found
