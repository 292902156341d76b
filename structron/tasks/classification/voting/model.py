"""The model in which the weight vectors of a training vote."""

from __future__ import annotations

from dataclasses import replace

from structron.errors import SettingError
from structron.model import Model, halved
from structron.tasks.classification.settings import ClassificationRecipe
from structron.tasks.classification.task import ClassificationTask
from structron.tasks.classification.voting.mistakes import Mistakes


def voting_model(
    model: Model[ClassificationTask], recipe: ClassificationRecipe
) -> tuple[Model[ClassificationTask], dict[str, float]]:
    """Build the model of an epoch; return it with the number of its weight vectors."""
    ballot = model.task.ballot
    assert ballot is not None
    mistakes, rows = Mistakes.of_ballot(ballot.pack())
    task = replace(model.task, mistakes=mistakes)
    made = Model(task, halved(rows) if recipe.half else rows, model.search)
    return made, {"vectors": float((mistakes.votes > 0).sum())}


def refuse_votes(what: str) -> SettingError:
    """Return the error about votes in a training that is split up."""
    return SettingError(
        f"{what}: votes need every weight vector of one training, which is kept in memory; "
        "use fit without it, or not voted"
    )
