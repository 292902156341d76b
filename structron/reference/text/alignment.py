"""Many-to-many alignment by EM: Jiampojamarn, Kondrak & Sherif (2007), Algorithm 1, slow and obvious.

An alignment cuts source and target into pieces of 1 to m source symbols and 0 to n target symbols, in order.
Its weight is the product of its pieces' weights, and EM finds weights under which the pairs are likely.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

Symbols = tuple[str, ...]
Piece = tuple[Symbols, Symbols]
Shape = tuple[int, int]
Cell = tuple[int, int]
Links = dict[Cell, list[tuple[Cell, Piece]]]

MAXIMISE = ("joint", "target_given_source", "source_given_target")


def shapes(m: int, n: int, deletions: bool = True, both: bool = False) -> list[Shape]:
    """Return the allowed numbers of source and target symbols in a piece; ties go to the first of these.

    Only single symbols are deleted; unless `both`, one side of a piece has at most one symbol.
    """
    return [
        (x, y)
        for x in range(1, m + 1)
        for y in range(n + 1)
        if (deletions and x == 1 if y == 0 else both or x == 1 or y == 1)
    ]


def alignments(source: Symbols, target: Symbols, allowed: Sequence[Shape]) -> Iterator[tuple[Piece, ...]]:
    """Yield every alignment of a pair."""
    if not source and not target:
        yield ()
    for x, y in allowed:
        if x <= len(source) and y <= len(target):
            for rest in alignments(source[x:], target[y:], allowed):
                yield ((source[:x], target[:y]), *rest)


def links(source: Symbols, target: Symbols, allowed: Sequence[Shape]) -> Links:
    """Return the pieces ending in each cell (source, target position) on a path to the last cell."""
    cells = [(i, j) for i in range(len(source) + 1) for j in range(len(target) + 1)]
    reached, leads = {(0, 0)}, {(len(source), len(target))}
    for i, j in cells:
        reached |= {(i, j) for x, y in allowed if (i - x, j - y) in reached}
    for i, j in reversed(cells):
        leads |= {(i, j) for x, y in allowed if (i + x, j + y) in leads}
    return {
        (i, j): [
            ((i - x, j - y), (source[i - x : i], target[j - y : j]))
            for x, y in allowed
            if (i, j) in leads and (i - x, j - y) in reached
        ]
        for i, j in cells
    }


def start(pairs: Iterable[tuple[Symbols, Symbols]], allowed: Sequence[Shape]) -> dict[Piece, float]:
    """Return all pieces with weight 1: every alignment of a pair is then equally likely."""
    return {
        piece: 1.0
        for source, target in pairs
        for ending in links(source, target, allowed).values()
        for _, piece in ending
    }


def expect(
    pairs: Iterable[tuple[Symbols, Symbols]], weights: Mapping[Piece, float], allowed: Sequence[Shape]
) -> tuple[dict[Piece, float], float]:
    """Run the E step: return expected counts and the log-likelihood; skip pairs without alignment."""
    counts = dict.fromkeys(weights, 0.0)
    likelihood = 0.0
    for source, target in pairs:
        graph = links(source, target, allowed)
        last = (len(source), len(target))
        forward = dict.fromkeys(graph, 0.0) | {(0, 0): 1.0}
        for cell, ending in graph.items():
            if ending:
                forward[cell] = sum(forward[before] * weights[piece] for before, piece in ending)
        backward = dict.fromkeys(graph, 0.0) | {last: 1.0}
        for i, j in list(graph)[::-1]:
            following = [((i + x, j + y), (source[i : i + x], target[j : j + y])) for x, y in allowed]
            for after, piece in following:
                if after in graph and ((i, j), piece) in graph[after]:
                    backward[i, j] += backward[after] * weights[piece]
        if forward[last] > 0 and source:
            for cell, ending in graph.items():
                for before, piece in ending:
                    counts[piece] += forward[before] * weights[piece] * backward[cell] / forward[last]
            mantissa, exponent = math.frexp(forward[last])
            likelihood += math.log(mantissa) + exponent * math.log(2)
    return counts, likelihood


def maximise(counts: Mapping[Piece, float], how: str = "joint") -> dict[Piece, float]:
    """Run the M step: divide each count by all counts, or by those with the same source or target."""
    groups: dict[str, Callable[[Piece], Symbols]] = {
        "joint": lambda piece: (),
        "target_given_source": lambda piece: piece[0],
        "source_given_target": lambda piece: piece[1],
    }
    group = groups[how]
    sums: dict[Symbols, float] = {}
    for piece, count in counts.items():
        sums[group(piece)] = sums.get(group(piece), 0.0) + count
    return {piece: count / sums[group(piece)] if count else 0.0 for piece, count in counts.items()}


def best(
    source: Symbols, target: Symbols, weights: Mapping[Piece, float], allowed: Sequence[Shape]
) -> list[Piece] | None:
    """Return the best alignment or None; of equal pieces take the one whose shape comes first."""
    graph = links(source, target, allowed)
    found: dict[Cell, tuple[float, list[Piece]]] = {(0, 0): (0.0, [])}
    for cell, ending in graph.items():
        for before, piece in ending:
            if before in found and weights[piece] > 0:
                score = found[before][0] + math.log(weights[piece])
                if cell not in found or score > found[cell][0]:
                    found[cell] = (score, [*found[before][1], piece])
    last = found.get((len(source), len(target)))
    return None if last is None else last[1]
