"""Pruning: which arcs are worth looking at, by a model of first order without relations.

An arc is as good as the best tree that has it (its max-marginal). A word keeps at most so many heads, and
none whose best tree scores less than ``ratio`` times the best tree of all and ``1 - ratio`` times the mean
over all arcs (Weiss & Taskar 2010): the scale of the weights does not matter, and the best tree always stays.
"""

from __future__ import annotations

from structron.reference.forest import forest
from structron.reference.weights import Weights
from structron.tasks.parsing.graph.space import GraphSpace


def best_trees(space: GraphSpace, weights: Weights) -> dict[tuple[int, int], float]:
    """By head and modifier, the score of the best tree that has this arc."""
    words = range(1, len(space.tokens) + 1)
    every = {(head, word) for word in words for head in (0, *words) if head != word}
    found = {}
    for arc in sorted(every):
        others = {(head, word) for head, word in every if word != arc[1]}
        trace = forest(space.pruned(others | {arc}), weights)
        found[arc] = trace.best(trace.final).score
    return found


def left(space: GraphSpace, weights: Weights, heads: int, ratio: float) -> set[tuple[int, int]]:
    """The arcs that stay."""
    scores = best_trees(space, weights)
    best, mean = max(scores.values()), sum(scores.values()) / len(scores)
    least = min(best, ratio * best + (1 - ratio) * mean)
    found = set()
    for word in range(1, len(space.tokens) + 1):
        of_word = [arc for arc in scores if arc[1] == word and scores[arc] >= least]
        found |= set(sorted(of_word, key=lambda arc: (-scores[arc], arc[0]))[:heads])
    return found
