"""Initial weights."""

from __future__ import annotations

from structron import _core
from structron.task import Task


def empty_weights(task: Task) -> _core.Weights:
    """Return the weights of a task before anything is learned."""
    return _core.Weights(task.weight_columns, task.bits, task.dense)
