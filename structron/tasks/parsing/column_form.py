"""Trees in tables: a head and a relation for each word."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from structron.fit.data.columns import NUMBER, TEXT, Lists, Many, Shape, Values


class Trees:
    """The number of its head, 0 for the root, and its relation, for each word of a row."""

    def shape(self, estimator: Any, raw: bool) -> Shape:
        """Return a list of heads with relations."""
        return Many({"head": NUMBER, "relation": TEXT})

    def values(self, estimator: Any, rows: Sequence[Any]) -> Values:
        """Return the trees that are predicted."""
        found = estimator.predict(list(rows))
        heads = [*chain.from_iterable(tree.heads for tree in found)]
        labels = [*chain.from_iterable(tree.labels for tree in found)]
        return Lists([len(tree.heads) for tree in found], {"head": heads, "relation": labels})


COLUMNS = Trees()
