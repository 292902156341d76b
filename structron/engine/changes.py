"""Changes of finished weights: what corrections add to a model, each a small part of its own.

A model file holds the weights of its training as they were, and beside them the cells that each change adds.
They are added up when the model is read. A change can be taken back: what is left are the bytes of before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from structron import _core
from structron.engine.rows import Arrays, Rows, typed, view_of
from structron.errors import ModelError, SettingError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

LABELS = "labels"  # in a change's description: those that the task has from then on
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


def only_labels(labels: Sequence[str]) -> Change:
    """Return a change that brings labels along and changes no weight."""
    import numpy as np

    none = np.empty(0, np.uint64), np.empty(0, np.uint32), np.empty(0, np.float32)
    return Change(*none, {LABELS: [*labels]})


def changed(rows: Rows, changes: Sequence[Change]) -> Rows:
    """Return weights with changes added to them, in their order."""
    for each in changes:
        rows = Rows(*_core.with_change(tuple(rows), each.keys, each.columns, each.weights))  # type: ignore[arg-type]
    return rows


def applied(task: Any, rows: Rows, changes: Sequence[Change]) -> tuple[Any, Rows]:
    """Return a task with the labels that changes bring along, and its weights with all changes added."""
    for each in changes:
        if labels := each.about.get(LABELS):
            task, columns = with_labels(task, labels)
            rows = moved(rows, columns)
        rows = changed(rows, [each]) if each.cells else rows
    return task, rows


def shared(made: Sequence[Change], wanted: Sequence[Change]) -> int:
    """Return how many of the wanted changes are made: all that are, if the wanted ones begin with them."""
    begins = len(wanted) >= len(made) and all(a is b for a, b in zip(made, wanted))
    return len(made) if begins else 0


def with_labels(task: Any, labels: Any) -> tuple[Any, Sequence[int]]:
    """Return a task with more labels, and which column each of its columns becomes."""
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise ModelError("the labels of a change should be texts")
    if not hasattr(task, "with_labels"):
        raise SettingError(f"new labels are not for {task.kind}; train it again with all of them")
    found: tuple[Any, Sequence[int]] = task.with_labels(labels)
    return found


def moved(rows: Rows, columns: Sequence[int]) -> Rows:
    """Return weights whose columns have other numbers; their order stays."""
    import numpy as np

    arrays = rows.arrays()
    to = np.asarray(columns, np.uint32)
    if len(arrays.columns) and int(arrays.columns.max()) >= len(to):
        raise ModelError("a weight is of a column that is not there")
    return arrays._replace(columns=to[arrays.columns])


def stored_changes(changes: Sequence[Change]) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return the header entries and the arrays of changes; both are empty without changes."""
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
        found.append(Change(views[0], views[1], views[2], about))
    return found
