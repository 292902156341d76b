"""Sums over all trees of words, crossing arcs or not, by the matrix-tree theorem (Tutte 1984).

The scores of arcs over the temperature make a Laplacian matrix whose determinant is Z, and whose inverse
gives the probability of each arc (Koo, Globerson, Carreras & Collins 2007; Smith & Smith 2007; McDonald &
Satta 2007). With a single root its first row has the arcs from the root in place of the first word's.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from structron.errors import TaskError
from structron.reference.forest.hypergraph import ForestOracle
from structron.reference.forest.spanning_trees import HeadSpace, arc_of, best_gold
from structron.reference.learners.violations import Violation
from structron.reference.learners.weights import SparseVector, Weights, pairs
from structron.reference.sequence.sums import log_sum


class TreeSums(NamedTuple):
    """Sums over all trees.

    Attributes
    ----------
    log_total
        The logarithm of the sum over all trees, log Z; minus infinity if there is none.
    marginals
        By head, word and relation, the probability that a tree has this arc.
    """

    log_total: float
    marginals: dict[tuple[int, int, int], float]


def tree_sums(space: HeadSpace, weights: Weights, temperature: float = 1.0) -> TreeSums:
    """Sum over all trees whose score is the sum of their arcs'."""
    if not space.is_first_order:
        raise TaskError(
            "crf: sums are over trees of single arcs, but templates see siblings or grandchildren; leave "
            "those out, or use another learner"
        )
    scores = {
        (h, m): [
            weights.score(space.features(*arc_of(space, h, m, label))) / temperature
            for label in range(space.labels)
        ]
        for h, m in space.possible()
    }
    log_total, arcs = arc_sums(
        len(space.tokens), {arc: log_sum(each) for arc, each in scores.items()}, space.single_root
    )
    marginals = {
        (*arc, label): probability * math.exp(scores[arc][label] - log_sum(scores[arc]))
        for arc, probability in arcs.items()
        for label in range(space.labels)
    }
    return TreeSums(log_total, marginals)


def arc_sums(
    words: int, scores: dict[tuple[int, int], float], single_root: bool
) -> tuple[float, dict[tuple[int, int], float]]:
    """Return log Z, and the probability of each arc from head to word, from scores of arcs."""
    if words == 0:
        return 0.0, {}
    # What all arcs into a word have in common changes no probability.
    tops = [
        max((s for (_, to), s in scores.items() if to == m), default=-math.inf) for m in range(1, words + 1)
    ]
    if min(tops) == -math.inf:
        return -math.inf, {}
    amounts = {(h, m): math.exp(s - tops[m - 1]) for (h, m), s in scores.items()}
    matrix = np.zeros((words, words))
    for (h, m), amount in amounts.items():
        if h > 0:
            matrix[m - 1, m - 1] += amount
            matrix[h - 1, m - 1] -= amount
        elif not single_root:
            matrix[m - 1, m - 1] += amount
    if single_root:
        matrix[0] = [amounts.get((0, m), 0.0) for m in range(1, words + 1)]
    sign, log_total = np.linalg.slogdet(matrix)
    if sign <= 0:
        return -math.inf, {}
    inverse = np.linalg.inv(matrix)
    found = {}
    for (h, m), amount in amounts.items():
        if h == 0:
            share = inverse[m - 1, 0] if single_root else inverse[m - 1, m - 1]
        else:
            into = 0.0 if single_root and m == 1 else inverse[m - 1, m - 1]
            around = 0.0 if single_root and h == 1 else inverse[m - 1, h - 1]
            share = into - around
        found[h, m] = min(1.0, max(0.0, amount * float(share)))
    return float(log_total) + sum(tops), found


def tree_shortfall(
    space: HeadSpace, oracle: ForestOracle[Any], weights: Weights, temperature: float = 1.0
) -> list[Violation]:
    """Return gold minus all trees as they are expected; see `structron.reference.sequence.sums.shortfall`."""
    gold = best_gold(space, space.possible(), weights, oracle)
    sums = tree_sums(space, weights, temperature)
    if gold is None or sums.log_total == -math.inf:
        return []
    delta: SparseVector = {}
    parts = [(use, 1.0) for use in gold.uses]
    parts += [(arc_of(space, *arc), -probability) for arc, probability in sums.marginals.items()]
    for use, times in parts:
        for name, value in pairs(space.features(*use)):
            delta[name] = delta.get(name, 0.0) + times * value
    loss = max(0.0, sums.log_total - gold.score / temperature)
    return [Violation({name: x for name, x in delta.items() if x != 0.0}, temperature * loss, loss)]
