"""What the experiments with graph-based parsers share: templates, and parts of a treebank of some size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corpora import PARSING, load
from record import checksum_of

from structron.io import Tree
from structron.tasks.parsing.features.presets import with_one_tag

Trees = tuple[list[Any], list[Tree]]

# Written out, so that these numbers stay as they are when a preset changes. Arcs: both words with direction
# and distance, their neighbours, the tags between them.
ARCS = (
    *("h.l h.t h.m d", "m.l m.t m.m d", "h.t m.t d", "h.t h.m m.t m.m d", "h.l m.l", "h.l m.t m.m d"),
    *("h.t h.m m.l d", "h.l h.t m.t", "h.t m.l m.t", "h.w m.w"),
    *("h[-1].t h.t m.t m[+1].t d", "h.t h[+1].t m[-1].t m.t d"),
    *("h[-1].t h.t m[-1].t m.t d", "h.t h[+1].t m.t m[+1].t d"),
    *("h.t between.t m.t", "m[-1].t m.t m[+1].t d"),
)
SIBLINGS = ("h.t s.t m.t dir", "s.t m.t dir", "s.l m.l", "s.l m.t", "s.t m.l")
GRANDCHILDREN = ("h.t m.t c.t dir", "h.t c.t dir", "h.l c.l", "h.l c.t", "h.t c.l")
# Siblings of siblings, relations side by side, and how many children there are.
THIRD = (
    "h.t ss.t s.t m.t",
    "ss.t s.t m.t dir",
    "m.r s.r dir",
    "h.t m.r s.r",
    "h.t m.r c.r",
    "h.t m.t h.v dir",
)
# With more than arcs to look at, a log-linear model says first which heads are worth it.
PRUNER = "heads:10+ratio=0.02"
ORDERS = {
    1: ARCS,
    2: (*ARCS, *SIBLINGS, *GRANDCHILDREN),
    3: (*ARCS, *SIBLINGS, *GRANDCHILDREN, *THIRD),
}


def templates_of(corpus: str, order: int) -> tuple[str, ...]:
    """Return templates of one arc, two or three; tokens of the synthetic treebank are word and tag."""
    chosen = ORDERS[order]
    return tuple(with_one_tag([*chosen])) if corpus == "synthetic-trees" else chosen


def title(corpus: str) -> str:
    return PARSING[corpus][0]


def beginning(trees: Trees, words: int) -> Trees:
    """Return the first sentences, so many that they have at most this many words."""
    xs, ys = trees
    count = 0
    for k, x in enumerate(xs):
        count += len(x)
        if count > words:
            return xs[:k], ys[:k]
    return xs, ys


def chosen(trees: Trees, places: Sequence[int]) -> Trees:
    return [trees[0][i] for i in places], [trees[1][i] for i in places]


def part(corpus: str, name: str, words: int, quick: bool) -> Trees:
    """Return the beginning of a part of a treebank."""
    xs, ys = load(corpus, quick).part(name)
    return beginning((xs, ys), words)  # type: ignore[arg-type]


def checksum_of_parts(corpus: str, sizes: dict[str, int], quick: bool) -> str:
    """Return twelve hex digits of the beginnings that are used."""
    return checksum_of(part(corpus, name, words, quick) for name, words in sizes.items())


def share(part: int, whole: int) -> float:
    """Return per cent."""
    return 100 * part / whole if whole else 0.0
