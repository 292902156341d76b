"""Pruning: which arcs are worth looking at, by a log-linear choice of each word's head by itself.

A word keeps at most so many heads, and none that is less probable than ``ratio`` times the best. Weights that
were learned from whole trees say little about single arcs, since a tree leaves the choice to other arcs;
here the log loss is asked for each word alone, and probabilities can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from structron.tasks.parsing.graph.space import GraphSpace

# By the last bits of a feature's key; how many is the length.
Weights: TypeAlias = list[float]

FIRST_SQUARE = 0.01
SMALL = 1e-3


def head_scores(space: GraphSpace, weights: Weights, word: int) -> dict[int, float]:
    """By head."""
    heads = (head for head in range(len(space.tokens) + 1) if head != word)
    return {head: sum(weights[at] for at in _buckets(space, weights, head, word)) for head in heads}


def left(space: GraphSpace, weights: Weights, heads: int, ratio: float) -> set[tuple[int, int]]:
    """The arcs that stay."""
    deepest = math.log(ratio) if ratio else -math.inf
    found = set()
    for word in range(1, len(space.tokens) + 1):
        scores = head_scores(space, weights, word)
        least = max(scores.values()) + deepest
        likely = [head for head in scores if scores[head] >= least]
        found |= {(head, word) for head in sorted(likely, key=lambda head: (-scores[head], head))[:heads]}
    return found


def learn_heads(
    space: GraphSpace, heads: Sequence[int], weights: Weights, squares: Weights, rate: float
) -> None:
    """One sentence, with AdaGrad (Duchi, Hazan & Singer 2011); `squares` are of the steps so far."""
    for word, gold in enumerate(heads, 1):
        scores = head_scores(space, weights, word)
        best = max(scores.values())
        total = sum(math.exp(score - best) for score in scores.values())
        for head, score in scores.items():
            error = math.exp(score - best) / total - (head == gold)
            if abs(error) < SMALL:
                continue
            for at in _buckets(space, weights, head, word):
                squares[at] += error * error
                weights[at] -= rate * error / math.sqrt(squares[at])


def _buckets(space: GraphSpace, weights: Weights, head: int, word: int) -> list[int]:
    return [key % len(weights) for (key, _), _ in space.arc_features(head, word, 0)]
