"""The best non-projective tree: Chu-Liu-Edmonds (McDonald et al. 2005), with exactly one word at the root."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

NEVER = float("-inf")

# scores[m][h]: of the arc from h to m; word 0 is the root and has no head.
Scores = Sequence[Sequence[float]]


def best_tree(scores: Scores, *, single_root: bool = True) -> list[int]:
    """The heads of the words 1, 2, ...; of equal heads the first, of equal words at the root the first.

    Parameters
    ----------
    scores
        One row for each word, the root's first and unused; minus infinity where there is no arc.
    single_root
        Whether exactly one word hangs from the root.
    """
    n = len(scores) - 1
    if n == 0:
        return []
    if not single_root:
        return _heads(scores)
    best: tuple[float, list[int]] | None = None
    for child in range(1, n + 1):
        if scores[child][0] == NEVER:
            continue
        only = [
            [NEVER if (h == 0) != (m == child) else score for h, score in enumerate(scores[m])]
            for m in range(n + 1)
        ]
        heads = _heads(only)
        total = sum(only[m][heads[m - 1]] for m in range(1, n + 1))
        if total > NEVER and (best is None or total > best[0]):
            best = total, heads
    return [] if best is None else best[1]


def _heads(scores: Scores) -> list[int]:
    """The best arborescence: the best head of every word, cycles contracted one after the other."""
    words = range(1, len(scores))
    table = {m: {h: scores[m][h] for h in range(len(scores)) if h != m} for m in words}
    chosen = _contracted(table)
    return [chosen[m] for m in words]


def _contracted(table: Mapping[int, Mapping[int, float]]) -> dict[int, int]:
    """The best head of every node of a graph; heads that are no nodes of it are roots."""
    best = {m: max(row, key=lambda h: (row[h], -h)) for m, row in table.items()}
    cycle = _cycle(best)
    if cycle is None:
        return best
    inside = set(cycle)
    new = max([*table, *(h for row in table.values() for h in row)]) + 1
    total = sum(table[m][best[m]] for m in cycle)
    entry: dict[int, int] = {}  # by head outside: the word of the cycle where it enters
    exit_: dict[int, int] = {}  # by word outside: the word of the cycle that is its head
    smaller: dict[int, dict[int, float]] = {new: {}}
    for m, row in table.items():
        if m in inside:
            for h, score in row.items():
                gain = score - table[m][best[m]] + total
                if h not in inside and gain > smaller[new].get(h, NEVER):
                    smaller[new][h], entry[h] = gain, m
            continue
        smaller[m] = {h: score for h, score in row.items() if h not in inside}
        into = [h for h in row if h in inside]
        if into:
            exit_[m] = max(into, key=lambda h: (row[h], -h))
            smaller[m][new] = row[exit_[m]]
    if not smaller[new]:  # nothing leads into the cycle: all arcs there are impossible
        outside = next((h for m in cycle for h in table[m] if h not in inside), None)
        if outside is None:
            return best
        smaller[new][outside], entry[outside] = NEVER, next(m for m in cycle if outside in table[m])
    heads = _contracted(smaller)
    found = {m: (exit_[m] if h == new else h) for m, h in heads.items() if m != new}
    found |= {m: best[m] for m in cycle}
    found[entry[heads[new]]] = heads[new]
    return found


def _cycle(best: Mapping[int, int]) -> list[int] | None:
    """A cycle of heads, the one that is found first."""
    done: set[int] = set()
    for start in best:
        path: list[int] = []
        node = start
        while node in best and node not in done:
            done.add(node)
            path.append(node)
            node = best[node]
        if node in path:
            return path[path.index(node) :]
    return None
