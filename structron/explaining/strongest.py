"""The strongest features of a model, by the names that a corpus gives them."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any, NamedTuple

from structron.errors import SettingError
from structron.explaining.account import account_of
from structron.explaining.explanation import WeightTable
from structron.model import Model
from structron.progress import report_progress

ENOUGH = 500_000  # features that fired: of some 1,000 sentences with tags, or 70 with trees


class Strong(NamedTuple):
    """A feature with its weight for a label, and in how many places of the corpus it fires."""

    label: str
    name: str
    weight: float
    times: int


def strongest(model: Model[Any], xs: Sequence[Any], top: int = 20, label: str | None = None) -> list[Strong]:
    """Return the features with the largest weights, for one label or for all, most extreme first.

    Keys are hashes: only features that fire in what the model predicts for these inputs get their names back.
    Names cost time: inputs are looked at in their order until ENOUGH features have fired.

    Parameters
    ----------
    xs
        Inputs as the engine takes them.
    top
        How many.
    label
        A column of weights: a tag, a relation, a transition, a piece, a label of texts.
    """
    table, columns = WeightTable(model.rows), list[str]()
    times: dict[tuple[str, int], int] = {}
    fired = 0
    for number, x in enumerate(xs, 1):
        account = account_of(model, x)
        columns = list(account.columns())
        for feature in account.features():
            place = (feature.name, feature.key)
            times[place] = times.get(place, 0) + 1
            fired += 1
        if fired >= ENOUGH:
            report_progress("looking for features", len(xs), len(xs))
            break
        report_progress("looking for features", max(number, fired * len(xs) // ENOUGH), len(xs))
    if label is not None and label not in columns:
        shown = ", ".join(columns[:20]) + (", …" if len(columns) > 20 else "")
        raise SettingError(f"there are no weights for {label!r}; there are some for {shown}")
    found = (
        Strong(columns[column], name, weight, count)
        for (name, key), count in times.items()
        for column, weight in table.row(key).items()
        if weight and (label is None or columns[column] == label)
    )
    return heapq.nsmallest(top, found, key=lambda each: (-abs(each.weight), each.label, each.name))
