"""Columns: what a task gives for each row of a table, as plain lists that every library of tables can take.

A task says of its outputs which shape they have and gives them as flat lists, so that a million words are a
few lists and not a million objects. `structron.adapters.arrow` makes columns of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol, TypeAlias

TEXT, NUMBER = "text", "number"


@dataclass(frozen=True)
class Many:
    """The shape of a list of any length."""

    of: Shape


Shape: TypeAlias = "str | Many | Mapping[str, Shape]"
"""`TEXT` or `NUMBER`, a list of another shape, or fields by their names."""


@dataclass(frozen=True)
class Lists:
    """Lists one after the other: the length of each, and the values of all."""

    lengths: Sequence[int]
    values: Values


Values: TypeAlias = "Sequence[Any] | Lists | Mapping[str, Values]"
"""The values of many rows, as their shape has them."""


class ColumnForm(Protocol):
    """The form of a task's outputs in a table."""

    def shape(self, estimator: Any, raw: bool) -> Shape:
        """Return the shape of a row's output; `raw` says whether rows are texts."""
        ...

    def values(self, estimator: Any, rows: Sequence[Any]) -> Values:
        """Return the outputs of rows: texts, lists of words, or lists of tuples. None of them is null."""
        ...


class Labels:
    """A text for each token of a row."""

    def shape(self, estimator: Any, raw: bool) -> Shape:
        """Return a list of texts."""
        return Many(TEXT)

    def values(self, estimator: Any, rows: Sequence[Any]) -> Values:
        """Return the predictions for rows."""
        found = estimator.predict(list(rows))
        return Lists([*map(len, found)], [*chain.from_iterable(found)])


LABELS = Labels()
