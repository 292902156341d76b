"""Predicted labels in the form of gold: texts, numbers or truth values, in lists, arrays or tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from structron.tasks.classification.labels.kinds import LabelKind
from structron.tasks.classification.task import ClassificationTask


def format_labels(found: Any, kind: LabelKind) -> Any:
    """Return one label, or a list of labels, in the form in which labels were given."""
    if isinstance(found, str):
        return found if kind.kind == "text" else kind.values([found])[0].item()
    return [format_labels(label, kind) for label in found]


def format_outputs(found: list[Any], kind: LabelKind, task: ClassificationTask, *, array: bool) -> Any:
    """Return the labels of all inputs: a table if gold was one, an array if the inputs were, else a list."""
    number = {label: i for i, label in enumerate(task.labels)}
    if kind.indicator:
        table = np.zeros((len(found), len(number)), dtype=np.int64)
        for row, own in zip(table, found):
            row[[number[label] for label in own]] = 1
        return table
    if array and not task.many:
        return kind.values(task.labels)[[number[label] for label in found]]
    answers = found if kind.kind == "text" else [format_labels(each, kind) for each in found]
    if not array:
        return answers
    objects = np.empty(len(answers), dtype=np.object_)
    objects[:] = answers
    return objects
