"""Weights as arrays, and the arrays of model files; everything that is read is checked."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from structron import _core
from structron.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# Model files give views, tasks give numpy arrays; both are read alike.
Arrays: TypeAlias = "Mapping[str, memoryview | npt.NDArray[Any]]"

_NONE: Any = array("f")


class Rows(NamedTuple):
    """Finished weights: `keys[r]` owns the cells from `offsets[r]` to `offsets[r + 1]`.

    Beside them stands a short vector of the weights of `dense` features; most tasks have none. Those of a
    model file (`stored_rows`) are views, which the engine reads as well, until somebody asks for `arrays`.
    """

    keys: npt.NDArray[np.uint64]
    offsets: npt.NDArray[np.uint32]
    columns: npt.NDArray[np.uint32]
    weights: npt.NDArray[np.float32]
    dense: npt.NDArray[np.float32] = _NONE

    def arrays(self) -> Rows:
        """Wrap the same memory in numpy arrays."""
        import numpy as np

        return Rows(*map(np.asarray, self))

    def __reduce__(self) -> tuple[Any, ...]:
        return Rows, tuple(self.arrays())  # views cannot be pickled

    def cells(
        self,
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32], npt.NDArray[np.float32]]:
        """Return key, column and weight of each cell, as `_core.Weights` takes them, the dense ones last."""
        import numpy as np

        key = np.repeat(self.keys, np.diff(self.offsets))
        dense = np.full(len(self.dense), _core.Weights.DENSE, np.uint64)
        return (
            np.concatenate([key, dense]),
            np.concatenate([self.columns, np.arange(len(dense), dtype=np.uint32)]),
            np.concatenate([self.weights, self.dense]),
        )


def rows_of(weights: Mapping[int, Mapping[int, float]]) -> Rows:
    """Return weights, by key and by column, as rows; what is 0 is left out."""
    import numpy as np

    keys, lengths, columns, values = [], [0], [], []
    for key in sorted(weights):
        own = [(column, weight) for column, weight in sorted(weights[key].items()) if weight]
        if own:
            keys.append(key)
            lengths.append(len(own))
            columns += [column for column, _ in own]
            values += [weight for _, weight in own]
    return Rows(
        np.array(keys, np.uint64),
        np.cumsum(lengths).astype(np.uint32),
        np.array(columns, np.uint32),
        np.array(values, np.float32),
    )


_EMPTY: Any = (array("Q"), array("I", [0]), array("I"), array("f"))

NO_ROWS = Rows(*_EMPTY)
"""The weights of what has none, or not yet."""


def check_floats(arrays: Arrays, greatest: float) -> None:
    """Refuse arrays of a model file with a float that is not a number, infinite or beyond `greatest`.

    Whatever such a float is part of, weights, probabilities or votes, searches would compare sums that are no
    numbers.
    """
    for name, values in arrays.items():
        view = memoryview(cast(Any, values))
        if view.format in ("e", "f", "d") and _core.largest(view) > greatest:
            raise ModelError(f"its array '{name}' has a value that is not a number or out of range")


# The types of items, by the letters of Python's `struct`.
_KINDS = dict.fromkeys("BHILQ", "U") | dict.fromkeys("bhilq", "I") | dict.fromkeys("efd", "F")


def view_of(arrays: Arrays, name: str, *kinds: str) -> memoryview:
    """Return one array of a model file without copying; its kind must be one of these: ``U64``, ``F16``."""
    found: Any = arrays.get(name)
    if found is not None:
        view = memoryview(found)
        if view.ndim == 1 and f"{_KINDS.get(view.format)}{8 * view.itemsize}" in kinds:
            return view
    raise ModelError(f"its array '{name}' is missing or of the wrong kind")


def keys_of(arrays: Arrays, name: str) -> array[int]:
    """Return an array of keys."""
    return array("Q", view_of(arrays, name, "U64").tobytes())


def numbers_of(arrays: Arrays, name: str) -> array[int]:
    """Return an array of whole numbers of 32 bits; the file may have stored fewer bits."""
    return array("I", _core.widened(view_of(arrays, name, "U32", "U16", "U8")).tobytes())


def stored_rows(arrays: Arrays, columns: str, greatest: float | None) -> Rows:
    """Read the weights of a model file; raise `ModelError` if they do not fit together.

    Parameters
    ----------
    columns
        The name of the array in the file.
    greatest
        The greatest weight allowed; NaN is refused. None, if that was checked before.
    """
    lengths = view_of(arrays, "lengths", "U32", "U16", "U8")
    cells = view_of(arrays, columns, "U32", "U16", "U8")
    found = view_of(arrays, "weights", "F32", "F16")
    dense = view_of(arrays, "dense", "F32") if "dense" in arrays else _NONE
    try:
        offsets = _core.offsets_of(lengths)
    except ValueError:
        raise ModelError("its weights do not fit together") from None
    if offsets[-1] != len(cells):
        raise ModelError("its weights do not fit together")
    if greatest is not None and max(_core.largest(found), _core.largest(dense)) > greatest:
        raise ModelError("a weight is out of range")
    views: Any = (view_of(arrays, "keys", "U64"), offsets, _core.widened(cells), _core.widened(found), dense)
    return Rows(*views)


def array_of(arrays: Arrays, name: str, kind: type, *narrower: type) -> npt.NDArray[Any]:
    """Return one array of a model file in the kind it must have; the file may have stored a narrower one."""
    import numpy as np

    given = arrays.get(name)
    found = None if given is None else np.asarray(given)
    if found is None or found.dtype not in (kind, *narrower) or found.ndim != 1:
        raise ModelError(f"its array '{name}' is missing or of the wrong kind")
    return found.astype(kind, copy=False)


def narrowed(array: npt.NDArray[Any], *kinds: type) -> npt.NDArray[Any]:
    """Return the array in the first of these kinds that holds all of its values exactly, or unchanged."""
    import numpy as np

    for kind in kinds:
        with np.errstate(over="ignore"):
            narrow: npt.NDArray[Any] = array.astype(kind)
        if np.array_equal(narrow, array):
            return narrow
    return array


def typed(header: Mapping[str, Any], name: str, kind: type) -> Any:
    """Return one entry of a header, of the type it must have; true and false are not numbers."""
    if not isinstance(header[name], kind) or (kind is int and isinstance(header[name], bool)):
        raise ModelError(f"its {name} should be of type {kind.__name__}")
    return header[name]


def texts(header: Mapping[str, Any], name: str) -> list[str]:
    """Return one entry of a header that must be a list of str."""
    values: list[str] = typed(header, name, list)
    if not all(isinstance(value, str) for value in values):
        raise ModelError(f"its {name} should be texts")
    return values


def is_text(label: Any) -> bool:
    """Return True for a str that can be written: half of a surrogate pair cannot."""
    return isinstance(label, str) and (label.isascii() or not any("\ud800" <= c <= "\udfff" for c in label))


def without_small(rows: Rows, least: float) -> Rows:
    """Drop weights smaller than `least`, and features without any."""
    import numpy as np

    keep = np.abs(rows.weights) >= least
    ends = rows.offsets.astype(np.int64)
    owner = np.repeat(np.arange(len(rows.keys)), ends[1:] - ends[:-1])
    left = np.bincount(owner[keep], minlength=len(rows.keys))
    offsets = np.concatenate([[0], np.cumsum(left[left > 0])]).astype(np.uint32)
    return rows._replace(
        keys=rows.keys[left > 0], offsets=offsets, columns=rows.columns[keep], weights=rows.weights[keep]
    )
