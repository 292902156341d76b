"""Training of a pruner, before the parser itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structron.fit.schedules.schedule import Stage
from structron.tasks.parsing.features.sets import GRAPH, pruner_templates
from structron.tasks.parsing.graph.pruner import EPOCHS, Pruner
from structron.tasks.parsing.graph.task import GraphParsingTask
from structron.tasks.parsing.settings import ParsingRecipe, parsing_templates
from structron.tasks.parsing.trees.task import TreeTask


def learn_pruner(
    recipe: ParsingRecipe, xs: Sequence[Any], trees: Sequence[Any], stage: Stage | None = None
) -> Pruner | None:
    """Train the pruner that a recipe asks for, if any.

    Parameters
    ----------
    xs, trees
        The examples of the parser itself.
    """
    if recipe.system != GRAPH or recipe.pruning is None:
        return None
    templates = tuple(pruner_templates(parsing_templates(recipe)))
    if not templates:  # words alone do not suffice for a fast pruner
        return None

    def progress(epoch: int, done: int, total: int) -> None:
        if stage is not None:
            stage("pruner", (epoch - 1) * total + done, EPOCHS * total)

    return Pruner.learned(templates, xs, trees, recipe.pruning, recipe.seed, progress)


# This many training sentences suffice, since the pruner has seen all of them.
_ENOUGH = 1000


def recall_of(
    task: TreeTask, xs: Sequence[Any], trees: Sequence[Any], *, held_out: bool
) -> dict[str, object]:
    """Measure how many arcs a pruner keeps on a development set, or on its training data.

    Return an empty dict if the parser has no pruner.
    """
    if not isinstance(task, GraphParsingTask) or task.pruner is None:
        return {}
    if not held_out:
        xs, trees = xs[:_ENOUGH], trees[:_ENOUGH]
    return {"on": "dev" if held_out else "train", **task.pruned(xs, trees)._asdict()}
