"""The margin of weights that are there already, such as a trained model's, on examples of any length."""

from __future__ import annotations

import math
from collections.abc import Sequence

from structron.model import Model
from structron.reference.search import exact
from structron.reference.training import Example
from structron.reference.weights import Weights
from structron.tasks.task import Task


def weights_of(model: Model[Task]) -> Weights:
    """The weights of a model as the definition names them: pairs of a feature's key and a column."""
    keys, columns, weights = (array.tolist() for array in model.rows.cells())
    return Weights(zip(zip(keys, columns), weights))


def output_margins(examples: Sequence[Example], weights: Weights) -> list[float]:
    """r^i of Definition 8 (Dror & Reichart 2016): by how much gold is ahead of the best other output.

    Found by exact search for the two best, so long examples may take long, but nothing is listed. In units of
    the weights' length; 0 or less where gold is not the only best output, infinite where it is the only one.
    """
    length = weights.norm() or 1.0
    found = []
    for space, oracle in examples:
        trace = exact(space, weights, oracle)
        gold = trace.gold(trace.final)
        others = [path.score for path in trace.kbest(2) if path.actions != gold.actions]
        found.append((gold.score - max(others, default=-math.inf)) / length)
    return found
