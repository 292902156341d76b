"""Learning a pruner before the parser itself."""

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
    """The pruner that a recipe asks for, if any.

    Parameters
    ----------
    xs, trees
        As the parser itself will learn from them.
    """
    if recipe.system != GRAPH or recipe.pruning is None:
        return None
    templates = tuple(pruner_templates(parsing_templates(recipe)))
    if not templates:  # of words alone nothing can be told quickly
        return None

    def progress(epoch: int, done: int, total: int) -> None:
        if stage is not None:
            stage("pruner", (epoch - 1) * total + done, EPOCHS * total)

    return Pruner.learned(templates, xs, trees, recipe.pruning, recipe.seed, progress)


# Of training data so many sentences say as much as all of them: the pruner has seen every one.
_ENOUGH = 1000


def recall_of(
    task: TreeTask, xs: Sequence[Any], trees: Sequence[Any], *, held_out: bool
) -> dict[str, object]:
    """Return what a pruner leaves of the arcs of a development set, or of the data that it learned from.

    Nothing if the parser has none.
    """
    if not isinstance(task, GraphParsingTask) or task.pruner is None:
        return {}
    if not held_out:
        xs, trees = xs[:_ENOUGH], trees[:_ENOUGH]
    return {"on": "dev" if held_out else "train", **task.pruned(xs, trees)._asdict()}
