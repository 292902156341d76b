"""The margins of given weights, such as a trained model's, on examples of any length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from structron.model import Model
from structron.reference.forest.forest import forest
from structron.reference.forest.hypergraph import Tree
from structron.reference.learners.weights import Weights
from structron.reference.sequence.bins import Bins
from structron.reference.sequence.search import exact
from structron.reference.sequence.training import Example
from structron.task import Task
from structron.theory.charts import is_chart


def weights_of(model: Model[Task]) -> Weights:
    """Return the weights of a model as in the definition: by pairs of a feature's key and a column."""
    keys, columns, weights = (array.tolist() for array in model.rows.cells())
    return Weights(zip(zip(keys, columns), weights))


def output_margins(examples: Sequence[Example], weights: Weights) -> list[float]:
    """Return r^i of Definition 8 (Dror & Reichart 2016): the margin between gold and the best other output.

    Found by exact search for the two best, so long examples may take long, but nothing is listed. In units of
    the weights' length; 0 or less where gold is not the only best output, infinite where it is the only one.
    """
    length = weights.norm() or 1.0
    found = []
    for space, oracle in examples:
        trace = _searched(space, oracle, weights)
        gold = trace.gold(trace.final)
        others = [each.score for each in trace.kbest(2) if _taken(each) != _taken(gold)]
        found.append((gold.score - max(others, default=-math.inf)) / length)
    return found


def _searched(space: Any, oracle: Any, weights: Weights) -> Bins:
    """Return the bins of an exact search."""
    return forest(space, weights, None, oracle) if is_chart(space) else exact(space, weights, oracle)


def _taken(derivation: Any) -> Any:
    """Return a key that distinguishes derivations: actions, or in a chart the uses of edges."""
    return derivation.uses if isinstance(derivation, Tree) else derivation.actions
