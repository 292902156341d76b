"""The score of a given tree: the definition, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from structron.tasks.parsing.graph.task import GraphParsingTask
from structron.tasks.parsing.transitions.task import ParsingTask
from structron.tasks.parsing.trees.predictors import Tree
from structron.tasks.parsing.trees.task import Tokens, TreeTask

Weights = Mapping[tuple[int, int], float]


def score_of_tree(task: TreeTask, tokens: Tokens, tree: Tree, weights: Weights) -> float:
    """Score a tree without crossing arcs, from any source.

    A graph parser adds up the scores of the tree's parts. A transition parser returns the score of the static
    oracle's derivation, minus infinity if there is none (for instance because of an arc unseen in training).
    """
    if isinstance(task, GraphParsingTask):
        return _of_parts(task, tokens, tree, weights)
    assert isinstance(task, ParsingTask)
    return _of_derivation(task, tokens, tree, weights)


def _of_parts(task: GraphParsingTask, tokens: Tokens, tree: Tree, weights: Weights) -> float:
    space, number = task.space(tokens), {label: i for i, label in enumerate(task.labels)}
    chosen = {word: (head, number[label]) for word, (head, label) in enumerate(zip(*tree), 1)}
    return sum(
        value * weights.get(feature, 0.0)
        for use in space.uses(chosen)
        if not (space.is_first_order and use.states)
        for feature, value in space.features(*use)
    )


def _of_derivation(task: ParsingTask, tokens: Tokens, tree: Tree, weights: Weights) -> float:
    space = task.space(tokens)
    oracle: Any = task.oracle(tree)
    state, score = space.initial(), 0.0
    path: list[int] = []
    while not space.is_final(state):
        action = oracle.action(state)
        if action is None:
            return -math.inf
        score += sum(value * weights.get(key, 0.0) for key, value in space.features(state, action))
        path.append(action)
        state = space.advance(state, action)
    return score if space.tree(path) == (list(tree[0]), list(tree[1])) else -math.inf
