"""Learning a pruner: an unlabelled graph parser of first order, trained before the parser itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from structron.estimators.estimator import AnyEstimator
from structron.estimators.parsing.stages import stage_of
from structron.features.parsing.sets import GRAPH, pruner_templates
from structron.tasks.parsing.graph.pruner import Pruner
from structron.training.parsing import ParsingRecipe, parsing_templates
from structron.training.schedule import Stage

EPOCHS = 3
# On the dev set of EWT a margin of 20 left out fewer gold arcs than one of 1, at fewer heads a word; epochs
# and templates were not tuned.
SETTINGS = {
    "search": "forest",
    "update": "standard",
    "learner": "perceptron:margin=20",
    "cut": 0,
    "pruner": "none",
    "crossing": "lift",
}


def learn_pruner(
    make: Callable[..., AnyEstimator],
    recipe: ParsingRecipe,
    xs: Sequence[Any],
    trees: Sequence[Any],
    stage: Stage | None = None,
    *,
    one_root: bool,
) -> Pruner | None:
    """The pruner that a recipe asks for, if any.

    Parameters
    ----------
    make
        The estimator.
    xs, trees
        As the parser itself will learn from them.
    """
    if recipe.system != GRAPH or recipe.pruning is None:
        return None
    templates = pruner_templates(parsing_templates(recipe))
    if not templates:  # of words alone nothing can be told quickly
        return None
    settings = SETTINGS | {"templates": templates, "seed": recipe.seed, "labelled": False}
    roots = "one" if one_root else "many"
    parser = make(system=GRAPH, roots=roots, epochs=EPOCHS, half=recipe.half, **settings)
    parser.fit(xs, [heads for heads, _ in trees], progress=stage_of(stage, "pruner", EPOCHS))
    return Pruner.of_rows(tuple(templates), parser.model_.rows, recipe.pruning)
