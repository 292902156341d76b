"""The weights of an array's columns as a table, as in scikit-learn's linear models."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from structron.features.keys import fold
from structron.model import Model
from structron.tasks.classification.features import INTERCEPT
from structron.tasks.classification.inputs import column_keys
from structron.tasks.classification.task import ClassificationTask

Table = npt.NDArray[np.float64]


def coefficients(model: Model[ClassificationTask], columns: int) -> tuple[Table, Table]:
    """Return a row of weights for each label, and the intercepts; with two labels, those of the second."""
    rows, bits = model.rows, model.task.bits
    keys = [fold(int(key), bits) for key in [*column_keys(columns).tolist(), INTERCEPT]]
    at = {int(key): place for place, key in enumerate(rows.keys)}
    found = np.zeros((model.task.weight_columns, columns + 1))
    for column, key in enumerate(keys):
        if key in at:
            cells = slice(int(rows.offsets[at[key]]), int(rows.offsets[at[key] + 1]))
            found[rows.columns[cells], column] = rows.weights[cells]
    return found[:, :-1], found[:, -1] * model.task.intercept
