"""Pruning: a log-linear choice of each word's head finds the arcs that are worth scoring.

A word keeps a limited number of heads, and none that is less probable than ``ratio`` times the best. Weights
that were learned from whole trees say little about single arcs, since a tree leaves the choice to other arcs.
Here the log loss is minimised for each word separately, so that probabilities can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from structron.tasks.parsing.graph.space import GraphSpace

# Indexed by the last bits of a feature's key; the length says how many bits.
Weights: TypeAlias = list[float]

FIRST_SQUARE = 0.01
SMALL = 1e-3


def head_scores(space: GraphSpace, weights: Weights, word: int) -> dict[int, float]:
    """Return the score of each head of a word."""
    heads = (head for head in range(len(space.tokens) + 1) if head != word)
    return {head: sum(weights[at] for at in _buckets(space, weights, head, word)) for head in heads}


def left(space: GraphSpace, weights: Weights, heads: int, ratio: float) -> set[tuple[int, int]]:
    """Return the arcs that are kept."""
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
    """Learn from one sentence with AdaGrad (Duchi, Hazan & Singer 2011); `squares` sums squared steps."""
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
