"""Training of a parser's experts: other parsers, trained before it on the same trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from structron.fit.estimator import AnyEstimator
from structron.fit.schedules.hooks import stage_of
from structron.fit.schedules.schedule import Stage
from structron.tasks.parsing.experts.combined_parser import mirrored
from structron.tasks.parsing.experts.expert import BACKWARD, EAGER, ParsingExpert
from structron.tasks.parsing.features.sets import GRAPH
from structron.tasks.parsing.settings import ParsingRecipe

# A backward parser must give a different opinion, not the best one: on the dev set of EWT templates `fast`
# helped as much as `rich` in a third of the time.
_CHEAPER = {
    f"{family}{kind}": f"fast{kind}"
    for family in ("rich", "lean")
    for kind in ("", "_case", "_case_forms", "_tags")
} | {"rich_lemmas": "fast", "lean_lemmas": "fast"}  # `fast` reads no FEATS
# Share of the parser's own epochs: on the same set a graph parser helped as much after five of eight as after
# all.
_GRAPH_SHARE = 5 / 8


def learn_experts(
    make: Callable[..., AnyEstimator],
    recipe: ParsingRecipe,
    xs: Sequence[Any],
    trees: Sequence[Any],
    columns: int,
    stage: Stage | None = None,
    *,
    one_root: bool,
) -> tuple[ParsingExpert, ...]:
    """Train the experts that a recipe asks for, if any.

    Parameters
    ----------
    make
        The estimator.
    recipe
        The recipe of the parser, suited to its treebank.
    xs, trees
        The examples of the parser itself.
    columns
        The number of columns that its templates read; experts see no more.
    """
    learned = []
    for name, weight in recipe.experts:
        parser = make(roots="one" if one_root else "many", **_settings(recipe, name))
        given = [[token[:columns] for token in x] for x in xs]
        gold = [(list(heads), list(labels)) for heads, labels in trees]
        if name == BACKWARD:
            given, gold = [x[::-1] for x in given], [mirrored(tree) for tree in gold]
        progress = stage_of(stage, f"expert {name}", parser.recipe.epochs)
        parser.fit(given, gold, progress=progress)
        model = parser.model_
        learned.append(ParsingExpert(name, weight, model.task, model.rows, str(model.search)))
    return tuple(learned)


def _settings(recipe: ParsingRecipe, name: str) -> dict[str, Any]:
    same = ("seed", "labelled", "half", "bits", "epochs", "clusters", "text")
    shared = {name: getattr(recipe, name) for name in same}
    # Crossing arcs have been lifted, and marked if needed, before any training.
    shared["crossing"] = "refuse"
    if name == BACKWARD:
        chosen = recipe.templates
        templates = _CHEAPER.get(chosen, chosen) if isinstance(chosen, str) else chosen
        own = {name: getattr(recipe, name) for name in ("system", "search", "update", "learner", "cut")}
        return shared | own | {"templates": templates}
    if name == EAGER:
        own = {name: getattr(recipe, name) for name in ("search", "update", "learner", "cut")}
        return shared | own | {"system": "arc-eager"}
    if name == "arcs":
        return shared | {"system": GRAPH, "search": "forest"}
    return shared | {"system": GRAPH, "epochs": math.ceil(_GRAPH_SHARE * recipe.epochs)}
