"""Learning the expert of a transducer: another one, which reads the same words from their ends."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

from structron.errors import StructronWarning
from structron.estimators.estimator import AnyEstimator
from structron.estimators.stages import stage_of
from structron.tasks.transduction.task import BackwardExpert
from structron.training.schedule import Stage
from structron.training.transduction import TransductionRecipe


def learn_expert(
    make: Callable[..., AnyEstimator],
    recipe: TransductionRecipe,
    xs: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    threads: int,
    stage: Stage | None = None,
) -> tuple[BackwardExpert, ...]:
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
        transducer = make(**recipe.as_dict() | {"combine": "none", "trials": 0, "threads": threads})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StructronWarning)  # the transducer itself will say it
            transducer.fit(
                [list(x[::-1]) for x in xs],
                [[list(reference[::-1]) for reference in each] for each in references],
                progress=stage_of(stage, f"expert {name}", recipe.epochs),
            )
        model = transducer.model_
        learned.append(BackwardExpert(name, weight, model.task, model.rows, str(model.search)))
    return tuple(learned)
