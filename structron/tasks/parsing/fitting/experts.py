"""Learning the experts of a parser: other parsers, trained before it on the same trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from structron.fit.estimator import AnyEstimator
from structron.fit.schedules.hooks import stage_of
from structron.fit.schedules.schedule import Stage
from structron.tasks.parsing.experts.combined import mirrored
from structron.tasks.parsing.experts.expert import BACKWARD, EAGER, ParsingExpert
from structron.tasks.parsing.features.sets import GRAPH
from structron.tasks.parsing.settings import ParsingRecipe

# A backward parser is asked for another opinion, not for the best one: on the dev set of EWT templates `fast`
# were worth as much as `rich` at a third of the time.
_CHEAPER = {
    f"{family}{kind}": f"fast{kind}"
    for family in ("rich", "lean")
    for kind in ("", "_case", "_case_forms", "_tags")
} | {"rich_lemmas": "fast", "lean_lemmas": "fast"}  # which looks at no FEATS
# Of the parser's own epochs: on the same set a graph parser added as much after five of eight as after all.
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
    """The experts that a recipe asks for.

    Parameters
    ----------
    make
        The estimator.
    recipe
        That of the parser they belong to, suited to its treebank.
    xs, trees
        As the parser itself will learn from them.
    columns
        How many columns its templates read; experts see no more.
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
    shared = {name: getattr(recipe, name) for name in ("seed", "labelled", "half", "bits", "epochs")}
    # Arcs that crossed are lifted, and marked if they are to be, before anyone learns from them.
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
