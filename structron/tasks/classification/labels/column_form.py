"""Labels in tables: one text for each row, or the list of those that hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from structron.fit.data.columns import TEXT, Lists, Many, Shape, Values


class LabelsOfRows:
    """The label of a row as a text; a list of texts where a row may have several."""

    def shape(self, estimator: Any, raw: bool) -> Shape:
        """Return a text, or a list of texts."""
        return Many(TEXT) if estimator.model_.task.many else TEXT

    def values(self, estimator: Any, rows: Sequence[Any]) -> Values:
        """Return the labels that are predicted."""
        found = estimator.predict(list(rows))
        if not estimator.model_.task.many:
            return [*map(str, found)]
        if not isinstance(found, list):  # a table of zeros and ones
            found = [[number for number, holds in enumerate(row) if holds] for row in found.tolist()]
        return Lists([*map(len, found)], [*map(str, chain.from_iterable(found))])


COLUMNS = LabelsOfRows()
