"""Learning the expert of a transducer: another one, which reads the same words in the opposite direction."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

from structron.errors import StructronWarning
from structron.estimators.estimator import AnyEstimator
from structron.estimators.stages import stage_of
from structron.tasks.transduction.combined import OppositeExpert
from structron.tasks.transduction.directions import BACKWARD, FORWARD
from structron.training.schedule import Stage
from structron.training.transduction import TransductionRecipe


def learn_expert(
    make: Callable[..., AnyEstimator],
    recipe: TransductionRecipe,
    xs: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    threads: int,
    stage: Stage | None = None,
) -> tuple[OppositeExpert, ...]:
    """The expert that a recipe asks for, if any.

    Parameters
    ----------
    make
        The estimator.
    recipe
        That of the transducer it belongs to, suited to its words: the expert learns in the same way.
    """
    learned = []
    for name, weight in recipe.experts:
        opposite = FORWARD if recipe.direction == BACKWARD else BACKWARD
        own = {"direction": opposite, "combine": "none", "trials": 0, "threads": threads}
        transducer = make(**recipe.as_dict() | own)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StructronWarning)  # the transducer itself will say it
            progress = stage_of(stage, f"expert {name}", recipe.epochs)
            given = list(map(list, xs)), [list(map(list, each)) for each in references]
            model = transducer.fit(*given, progress=progress).model_
        learned.append(OppositeExpert(name, weight, model.task, model.rows, str(model.search)))
    return tuple(learned)
