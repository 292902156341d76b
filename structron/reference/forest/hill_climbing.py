"""Trees with crossing arcs and features of higher order: McDonald & Pereira (2006).

The best tree of that kind is too hard to find. Search starts from the best projective tree, as the forest
gives it; where arcs are given that no projective tree has, from the best tree by its arcs alone. Then it
changes one word's head after the other, each time the one whose change raises the score of the whole tree
most, as long as there is one and the result is a tree.

A word that changes its head takes the relation that suits the new arc best by itself, of equals the first. It
may keep its head and change the relation to that one. Of equal gains the first word counts, then the first
head. There are at most as many changes as words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from structron.errors import TaskError
from structron.reference.checks.hooks import FOREST_ORACLE, HEADS
from structron.reference.forest.forest import forest
from structron.reference.forest.hypergraph import ForestOracle, Tree, Use
from structron.reference.forest.spanning_trees import arc_of, best_gold, best_of_arcs, relations_of
from structron.reference.learners.weights import Weights
from structron.reference.sequence.one_bin import OneBin

Vector = dict[int, tuple[int, int]]  # by word its head and relation


def climbing(
    space: Any,
    weights: Weights,
    width: int | None = None,
    oracle: ForestOracle[Any] | None = None,
    *,
    margin: float = 0.0,
) -> OneBin:
    """Change one head at a time until nothing improves; the one bin is the final tree.

    Parameters
    ----------
    space
        A `ForestSpace` whose outputs are also vectors of heads, a `HeadSpace`.
    width
        How many items a node keeps in the search that it starts from; None keeps all.
    oracle
        The oracle; gold may have crossing arcs.
    margin
        Cost-augmented search: every arc that is not gold scores this much more.
    """

    def score(part: Use) -> float:
        found = weights.score(space.features(*part))
        if oracle is None or not margin:
            return found
        right: Callable[..., bool] = FOREST_ORACLE.of(oracle, "right") or oracle.allows
        return found + (0.0 if right(*part) else margin)

    def total(tree: Vector) -> float:
        return sum(score(part) for part in space.uses(tree))

    first: Tree | None
    if HEADS.of(space, "has_chart"):
        start = forest(space, weights, width, oracle, margin=margin)
        first, arcs = start.best(start.final), space.possible()
    else:
        arcs = space.agreeing()
        first = best_of_arcs(space, arcs, score)
        if first is None:
            raise TaskError("swaps: no tree has all arcs given; give fewer")
    tree: Vector = {m: (h, label) for h, m, label in space.arcs(first)}
    # The best relation of each arc.
    suited: dict[tuple[int, int], int] = {}
    for h, m in arcs:
        found = {label: score(arc_of(space, h, m, label)) for label in relations_of(space, m)}
        suited[h, m] = max(found, key=found.__getitem__)
    for _ in range(len(space.tokens)):
        now = total(tree)
        gains = [(total(tree | change) - now, change) for change in changes(tree, suited, space.single_root)]
        best, change = max(gains, key=lambda each: each[0], default=(0.0, {}))
        if best <= 0:
            break
        tree |= change
    return OneBin(
        space, Tree(tuple(space.uses(tree)), total(tree)), best_gold(space, arcs, weights, oracle), oracle
    )


def changes(tree: Vector, suited: Mapping[tuple[int, int], int], single_root: bool) -> Iterator[Vector]:
    """Yield every change of one word after which the vector is still a tree, by word and head."""
    for m in sorted(tree):
        for h in range(len(tree) + 1):
            if (h, m) not in suited or tree[m] == (h, suited[h, m]) or m in path(tree, h):
                continue
            # If one word depends on the root, it stays that one.
            if not single_root or (h == 0) == (tree[m][0] == 0):
                yield {m: (h, suited[h, m])}


def path(tree: Vector, word: int) -> set[int]:
    """Return a word and its ancestors."""
    found = {word}
    while word:
        word = tree[word][0]
        found.add(word)
    return found
