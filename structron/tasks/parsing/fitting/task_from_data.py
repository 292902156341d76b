"""The task that a treebank and a recipe call for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from structron.fit.raw_text.clusters import clusters_for
from structron.io.values.trees import Tree
from structron.tasks.parsing.features.sets import GRAPH
from structron.tasks.parsing.graph.task import GraphParsingTask
from structron.tasks.parsing.settings import ParsingRecipe, parsing_templates
from structron.tasks.parsing.transitions.task import ParsingTask
from structron.tasks.parsing.trees.task import TreeTask


def make_task(
    recipe: ParsingRecipe,
    trees: Sequence[Any],
    words: Iterable[str],
    classes: Sequence[str] | None,
    *,
    one_root: bool,
) -> TreeTask:
    """Create the task, by transitions or by a graph, without pruner and experts.

    Parameters
    ----------
    trees
        The trees that the system learns.
    words
        The words of their sentences.
    classes
        Relations that may come later.
    """
    # A later relation may be on any arc.
    every = [*trees, *(Tree([2, 0, 2], [label] * 3) for label in classes or ())]
    templates = parsing_templates(recipe)
    shared: dict[str, Any] = {
        "crossing": recipe.task_crossing,
        "single_root": one_root,
        "bits": recipe.bits,
        "clusters": clusters_for(recipe, templates, lambda: words),
    }
    if recipe.system == GRAPH:
        return GraphParsingTask.of_trees(every, templates, **shared)
    return ParsingTask.of_trees(
        every,
        templates,
        system=recipe.system,
        dynamic=recipe.oracle == "dynamic",
        **shared,
    )
