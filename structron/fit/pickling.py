"""Pickles of estimators: the bytes of two files, one for the model and one for the training.

Both are archives with a digest (`structron.io.model_file.archive`), so that a pickle does not depend on how
classes
look inside, and joblib, `copy.deepcopy` and other processes get what `save` writes. The second file is what a
model's own leaves out: weights before averaging, for `partial_fit`, and the times of the epochs.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from structron.engine.rows import typed
from structron.engine.weights import empty_weights
from structron.errors import ModelError, SettingError
from structron.fit import Epoch, Learning, Recipe
from structron.fit.checkpoints.checkpoints import cells_of, stored_cells
from structron.fit.problem import Fitted
from structron.io.model_file.archive import archive_bytes, read_archive_bytes
from structron.registry import task_of

_CELLS = "learning."  # before the names of the arrays that are not part of a task


def to_files(fitted: Fitted[Any, Any]) -> tuple[bytes, bytes]:
    """The bytes of the model's file, and of one with all else that was learned."""
    header: dict[str, Any] = {"history": [asdict(epoch) for epoch in fitted.history]}
    arrays = {}
    if (learning := fitted.learning) is not None:
        task = learning.task
        header |= {
            "kind": task.kind,
            "task": task.header(),
            "recipe": learning.recipe.record(),
            "clock": learning.weights.clock,
        }
        arrays = task.arrays() | stored_cells(learning.weights.state(), _CELLS)
    return fitted.model.to_bytes(), archive_bytes(header, arrays)


def training_of(
    data: bytes, recipe_type: type[Recipe], where: str
) -> tuple[list[Epoch], Learning[Any] | None]:
    """The epochs, and the weights as training left them; None of a model that was loaded."""
    header, arrays = read_archive_bytes(data, where)
    try:
        history = [Epoch(**record) for record in typed(header, "history", list)]
        if "task" not in header:
            return history, None
        task = task_of(typed(header, "kind", str)).restore(typed(header, "task", dict), arrays)
        recipe = recipe_type.from_mapping(typed(header, "recipe", dict), where)
        learning = Learning(task, recipe, empty_weights(task))
        cells = cells_of(arrays, _CELLS, learning.weights)
        learning.weights.restore(*cells, max(typed(header, "clock", int), 1))
    except KeyError as error:
        raise ModelError(f"{where}: it has no {error}; pickle it again") from None
    except (ModelError, SettingError, TypeError, ValueError) as error:
        raise ModelError(f"{where}: it cannot be used ({error}); pickle it again") from None
    return history, learning
