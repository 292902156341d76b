"""Trainings in several orders, averaged: which derivation is taken for gold first depends on the order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structron.model import Model
from structron.tasks.semantics.task import SemanticTask
from structron.tasks.task import Rows, empty_weights


def averaged(models: Sequence[Model[SemanticTask]]) -> Model[SemanticTask]:
    """A model of one task with the mean of the weights of several; its search and all else is the first's."""
    first = models[0]
    keys, columns, weights = (
        np.concatenate(part) for part in zip(*(model.rows.cells() for model in models), strict=True)
    )
    cells, place = np.unique(np.stack([keys, columns.astype(np.uint64)]), axis=1, return_inverse=True)
    means = np.bincount(place.ravel(), weights.astype(np.float64)) / len(models)
    mixed = empty_weights(first.task)
    mixed.restore(
        cells[0].copy(),
        cells[1].astype(np.uint32),
        means.astype(np.float32),
        np.zeros(len(means)),
        mixed.clock,
    )
    return Model(first.task, Rows(*mixed.pack(False)), first.search, first.about, first.parts)
