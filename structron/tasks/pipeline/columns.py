"""Columns of sentences, which stages of a pipeline read and fill."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from structron.tasks.pipeline.task import Stage

Column = list[list[str]]
Columns = dict[str, Column]
BETWEEN = "\t"  # separates the values of one label; no value contains it


def zip_columns(columns: Columns, names: Sequence[str]) -> list[list[Any]]:
    """Return sentences of words, each a text or a tuple of these columns."""
    if len(names) == 1:
        return columns[names[0]]
    return [list(zip(*each)) for each in zip(*(columns[name] for name in names))]


def join_labels(stage: Stage, columns: Columns) -> Column:
    """Return the labels of a tagger: values of its column, or of several columns at once."""
    if len(stage.fills) == 1:
        return columns[stage.fills[0]]
    return [
        [BETWEEN.join(values) for values in zip(*each)] for each in zip(*(columns[c] for c in stage.fills))
    ]


def split_labels(stage: Stage, labels: Column) -> Columns:
    """Return the columns that labels stand for."""
    if len(stage.fills) == 1:
        return {stage.fills[0]: labels}
    parts = {label: label.split(BETWEEN) for label in set(chain.from_iterable(labels))}
    found = {}
    for i, name in enumerate(stage.fills):
        value = {label: values[i] for label, values in parts.items()}.__getitem__
        found[name] = [[*map(value, each)] for each in labels]
    return found
