"""Training of a transducer's experts, which learn the same words in another way."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from structron.errors import StructronWarning
from structron.fit.estimator import AnyEstimator
from structron.fit.schedules.hooks import stage_of
from structron.fit.schedules.schedule import Stage
from structron.tasks.transduction.direction.reversal import BACKWARD, FORWARD
from structron.tasks.transduction.experts.combined_transducer import RICH, TransductionExpert
from structron.tasks.transduction.settings import TransductionRecipe


def learn_experts(
    make: Callable[..., AnyEstimator],
    recipe: TransductionRecipe,
    xs: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    threads: int,
    stage: Stage | None = None,
) -> tuple[TransductionExpert, ...]:
    """Train the experts that a recipe asks for, if any.

    Parameters
    ----------
    make
        The estimator.
    recipe
        The recipe of the transducer, suited to its words. The first expert learns like the transducer itself,
        and each other expert like the one before it, except for what its name says.
    """
    settings = recipe.as_dict() | {"combine": "none", "trials": 0, "threads": threads}
    learned = []
    for name, weight in recipe.experts:
        settings |= recipe.rich_settings if name == RICH else _turned(recipe, settings)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StructronWarning)  # the transducer itself warns about the same
            progress = stage_of(stage, f"expert {name}", recipe.epochs)
            given = list(map(list, xs)), [list(map(list, each)) for each in references]
            model = make(**settings).fit(*given, progress=progress).model_
        learned.append(TransductionExpert(name, weight, model.task, model.rows, recipe.search_of_experts))
    return tuple(learned)


def _turned(recipe: TransductionRecipe, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings for the other end; besides `rich` they ask known words, too (decision 44)."""
    turned = {"direction": FORWARD if settings["direction"] == BACKWARD else BACKWARD}
    return turned | {"templates": "rich_alike"} if recipe.templates == "rich" else turned
