"""The best tree of words, crossing arcs or not: Chu-Liu-Edmonds (McDonald, Pereira, Ribarov & Hajič 2005).

The score of a tree is the sum of its arcs'. Every word takes its best head; where that makes a cycle, the
cycle becomes one node, which takes the best arc into one of its words, and the rest is solved again.

Ties are settled as they come up. Nodes have numbers: the root 0, the words 1, 2, ..., and each contracted
cycle the next. Of equal relations, heads and words of a cycle the lowest number is taken, and of several
cycles the one that is reached first from the lowest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from structron.errors import TaskError
from structron.reference.checks.hooks import FOREST_ORACLE, HEADS
from structron.reference.forest.hypergraph import ForestOracle, Tree, Use
from structron.reference.learners.weights import Features, Weights
from structron.reference.sequence.one_bin import OneBin

NEVER = float("-inf")

# scores[m][h]: of the arc from h to m; word 0 is the root and has no head.
Scores = Sequence[Sequence[float]]

Arc = tuple[int, int]  # head and modifier

# The score of an arc: impossible arcs (negative), arcs from the root if only one is allowed (negative),
# score. These are compared in this order and added one by one, so no number must stand for "very much".
Worth = tuple[int, int, float]


class HeadSpace(Protocol):
    """One input whose words each take a head and a relation.

    A space of which parts of the output are given also has `agreeing()`, the arcs that agree with them;
    `relations(modifier)`, the relations that an arc to a word may have; and `has_chart`, whether some
    projective tree agrees.
    """

    @property
    def tokens(self) -> Sequence[Any]:
        """Return the words, without the root."""
        ...

    @property
    def labels(self) -> int:
        """Return the number of relations."""
        ...

    @property
    def single_root(self) -> bool:
        """Return True if exactly one word depends on the root."""
        ...

    @property
    def is_first_order(self) -> bool:
        """Return True if the score of a tree is the sum of its arcs'."""
        ...

    def possible(self) -> Iterable[Arc]:
        """Return head and modifier of all possible arcs."""
        ...

    def uses(self, chosen: dict[int, tuple[int, int]]) -> Iterable[Use]:
        """Return the parts of a vector of (head, relation) by word; the arc of a word comes first."""
        ...

    def features(self, node: int, edge: Any, states: Any) -> Features:
        """Return the features of a part."""
        ...


def spanning(
    space: HeadSpace, weights: Weights, oracle: ForestOracle[Any] | None = None, *, margin: float = 0.0
) -> OneBin:
    """Find the best of all trees; the one bin is the tree.

    Parameters
    ----------
    oracle
        The oracle; the gold side is the same search, restricted to gold arcs.
    margin
        Cost-augmented search: every arc that is not gold scores this much more.
    """

    def score(part: Use) -> float:
        return weights.score(space.features(*part))

    def augmented(part: Use) -> float:
        if oracle is None or not margin:
            return score(part)
        right: Callable[..., bool] = FOREST_ORACLE.of(oracle, "right") or oracle.allows
        return score(part) + (0.0 if right(*part) else margin)

    if not space.is_first_order:
        raise TaskError(
            "mst: a tree is the sum of its arcs, but templates see siblings or grandchildren; leave those "
            "out, or use forest:8+swaps"
        )
    agreeing: Callable[[], Iterable[Arc]] = HEADS.of(space, "agreeing") or space.possible
    arcs = [*agreeing()]
    guess = best_of_arcs(space, arcs, augmented)
    if guess is None:
        raise TaskError("mst: the arcs that there may be make no tree; allow more of them")
    return OneBin(space, guess, best_gold(space, arcs, weights, oracle), oracle)


def best_gold(
    space: HeadSpace, arcs: Iterable[Arc], weights: Weights, oracle: ForestOracle[Any] | None
) -> Tree | None:
    """Return the tree of those arcs that are gold; None if there is none."""
    if oracle is None:
        return None
    gold = best_of_arcs(space, arcs, lambda part: 0.0 if oracle.allows(*part) else NEVER)
    if gold is None:
        return None
    return gold._replace(score=sum(weights.score(space.features(*part)) for part in gold.uses))


def best_of_arcs(space: HeadSpace, arcs: Iterable[Arc], score: Callable[[Use], float]) -> Tree | None:
    """Return the best tree of some arcs by their scores, with their best relations; None if there is none."""
    everyone = range(len(space.tokens) + 1)
    scores = [[NEVER for _ in everyone] for _ in everyone]
    labels = [[0 for _ in everyone] for _ in everyone]
    for h, m in arcs:
        found = {label: score(arc_of(space, h, m, label)) for label in relations_of(space, m)}
        labels[m][h] = max(found, key=found.__getitem__)
        scores[m][h] = found[labels[m][h]]
    heads = best_tree(scores, single_root=space.single_root)
    if heads is None:
        return None
    chosen = {m: (h, labels[m][h]) for m, h in enumerate(heads, 1)}
    return Tree(tuple(space.uses(chosen)), sum(scores[m][h] for m, h in enumerate(heads, 1)))


def relations_of(space: HeadSpace, modifier: int) -> Sequence[int]:
    """Return the relations that an arc to a word may have."""
    relations: Callable[[int], Sequence[int]] | None = HEADS.of(space, "relations")
    return range(space.labels) if relations is None else relations(modifier)


def arc_of(space: HeadSpace, head: int, modifier: int, label: int) -> Use:
    """Return the part that an arc is by itself."""
    return next(iter(space.uses({modifier: (head, label)})))


def best_tree(scores: Scores, *, single_root: bool = True) -> list[int] | None:
    """Return the heads of the words 1, 2, ...; None if there is no tree.

    Parameters
    ----------
    scores
        One row for each word, the root's first and unused; minus infinity where there is no arc.
    single_root
        Whether exactly one word hangs from the root: then of all trees those with the fewest such words are
        the best, whatever their scores.
    """

    def worth(h: int, score: float) -> Worth:
        at_root = -1 if single_root and h == 0 else 0
        return (-1, at_root, 0.0) if score == NEVER else (0, at_root, score)

    words = range(1, len(scores))
    chosen = _heads({m: {h: worth(h, s) for h, s in enumerate(scores[m]) if h != m} for m in words})
    heads = [chosen[m] for m in words]
    if any(scores[m][h] == NEVER for m, h in enumerate(heads, 1)) or (single_root and heads.count(0) > 1):
        return None
    return heads


def _heads(table: Mapping[int, Mapping[int, Worth]]) -> dict[int, int]:
    """Return the best head of every node; table[m][h] is the score of the arc from h to m."""
    best = {m: _first_best(row) for m, row in table.items()}
    cycle = _cycle(best)
    if not cycle:
        return best
    new = max(table) + 1
    entered: dict[int, Worth] = {}  # by head outside: what an arc from there into the cycle gains
    entry: dict[int, int] = {}  # and the word of the cycle whose arc it replaces
    for m in sorted(cycle):
        for h, worth in table[m].items():
            gain = _minus(worth, table[m][best[m]])
            if h not in cycle and (h not in entered or gain > entered[h]):
                entered[h], entry[h] = gain, m
    smaller: dict[int, dict[int, Worth]] = {}
    left: dict[int, int] = {}  # by node outside: the word of the cycle that is its head
    for m, row in table.items():
        if m not in cycle:
            left[m] = _first_best({h: row[h] for h in cycle})
            outside = {h: worth for h, worth in row.items() if h not in cycle}
            smaller[m] = {**outside, new: row[left[m]]}
    heads = _heads({**smaller, new: entered})
    found = {m: left[m] if heads[m] == new else heads[m] for m in smaller}
    return {**found, **{m: best[m] for m in cycle}, entry[heads[new]]: heads[new]}


def _first_best(row: Mapping[int, Worth]) -> int:
    """Return the head with the best arc, of equals the lowest."""
    return min(row, key=lambda h: (*(-part for part in row[h]), h))


def _minus(a: Worth, b: Worth) -> Worth:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _cycle(best: Mapping[int, int]) -> set[int]:
    """Return the first cycle among the heads; empty if there is none."""
    done: set[int] = set()
    for start in sorted(best):
        path: list[int] = []
        node = start
        while node in best and node not in done:
            done.add(node)
            path.append(node)
            node = best[node]
        if node in path:
            return set(path[path.index(node) :])
    return set()
