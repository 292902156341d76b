"""Changes of finished weights: what corrections add to a model, each a small part of its own.

A model file holds the weights of its training as they were, and beside them the cells that each change adds.
They are added up when the model is read. A change can be taken back: what is left are the bytes of before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from structron import _core
from structron.engine.rows import Arrays, Rows, typed, view_of
from structron.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_ARRAYS = (("keys", "U64"), ("columns", "U32"), ("weights", "F32"))


class Change(NamedTuple):
    """Cells that are added to weights, sorted by key and column.

    Attributes
    ----------
    keys, columns, weights
        The cells; those of dense weights have the key `Weights.DENSE`.
    about
        What the change was made for, as plain data.
    """

    keys: npt.NDArray[np.uint64]
    columns: npt.NDArray[np.uint32]
    weights: npt.NDArray[np.float32]
    about: Mapping[str, Any]

    @property
    def cells(self) -> int:
        """Return how many weights it changes."""
        return len(self.keys)


def changed(rows: Rows, changes: Sequence[Change]) -> Rows:
    """Return weights with changes added to them, in their order."""
    for each in changes:
        rows = Rows(*_core.with_change(tuple(rows), each.keys, each.columns, each.weights))  # type: ignore[arg-type]
    return rows


def stored_changes(changes: Sequence[Change]) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return what a model file says of changes, and their arrays; both are empty without changes."""
    import numpy as np

    arrays = {
        f"change.{number}.{name}": np.asarray(values)
        for number, each in enumerate(changes)
        for (name, _), values in zip(_ARRAYS, each)
    }
    return ({"changes": [dict(each.about) for each in changes]} if changes else {}), arrays


def restored_changes(header: Mapping[str, Any], arrays: Arrays, greatest: float) -> list[Change]:
    """Read the changes of a model file; raise `ModelError` if they do not fit together."""
    found = []
    for number, about in enumerate(typed({"changes": []} | dict(header), "changes", list)):
        if not isinstance(about, dict):
            raise ModelError("its changes should be described by tables")
        views: Any = [view_of(arrays, f"change.{number}.{name}", kind) for name, kind in _ARRAYS]
        if len({len(view) for view in views}) > 1:
            raise ModelError("the arrays of a change differ in length")
        if _core.largest(views[2]) > greatest:
            raise ModelError("a weight of a change is out of range")
        found.append(Change(*views, about))
    return found
