"""Inputs of a classifier: texts, words, named numbers, rows of arrays, and documents from files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from structron.errors import DataError
from structron.fit.data.inputs import check_ordered
from structron.io.formats.documents import Document
from structron.tasks.classification.features import COLUMN
from structron.tasks.classification.labels.kinds import Labels
from structron.tasks.classification.task import Bag

LARGEST, SMALLEST = 1e15, 1e-15
INPUTS = TEXT, WORDS, NAMED, ARRAY = "texts", "lists of words", "named features", "rows of an array"


class ArrayError(DataError, ValueError):
    """An unusable array; also a ValueError, as in scikit-learn."""


class ArrayTypeError(DataError, TypeError):
    """An array that does not hold numbers; also a TypeError, as in scikit-learn."""


@dataclass(frozen=True)
class Inputs:
    """Inputs as the engine takes them.

    Attributes
    ----------
    xs
        The inputs: each a str, a list of str, a dict or a bag.
    kind
        Their kind, one of `INPUTS`.
    columns
        The number of columns of an array.
    array
        True if they came as an array, so that answers do, too.
    largest
        The largest absolute value of an array, before it was rounded to float32.
    documents
        The documents as they were read from files, if they were.
    labels
        The gold labels, if they are known.
    """

    xs: list[Any]
    kind: str
    columns: int | None = None
    array: bool = False
    largest: float = 0.0
    documents: Sequence[Document] | None = None
    labels: Labels | None = None

    @property
    def is_text(self) -> bool:
        """Return True if the inputs consist of words."""
        return self.kind in (TEXT, WORDS)

    def place(self, i: int) -> str:
        """Name the place of an input, for messages."""
        return f"input {i + 1}" if self.documents is None else self.documents[i].place


def read_inputs(X: Any) -> Inputs:
    """Read inputs; the first one shows their kind.

    Parameters
    ----------
    X
        A list of texts, of lists of words, or of dicts of features; a table of numbers (a numpy array, a
        scipy sparse matrix, a data frame, a list of lists); or a list of `Document`.
    """
    if isinstance(X, str | bytes):
        raise DataError("X is a single string; give a list of texts")
    check_ordered(X, "X")
    if hasattr(X, "tocsr"):
        return _sparse(X)
    if hasattr(X, "__array__") or hasattr(X, "__array_interface__"):
        return _array(np.asarray(X))
    try:
        items = X if isinstance(X, list | tuple) else list(X)
    except TypeError:
        raise DataError(f"X is of type {type(X).__name__}; give a list of texts or an array") from None
    return _listed(items)


def _listed(items: Sequence[Any], array: bool = False) -> Inputs:
    first = items[0] if len(items) else ""
    if isinstance(first, Document):
        return _documents(items)
    if isinstance(first, list | tuple | np.ndarray) and _are_numbers(items):
        return _array(_as_numbers(items))
    kinds: tuple[tuple[type, ...], str] = ((str,), TEXT)
    if isinstance(first, dict):
        kinds = ((dict,), NAMED)
    elif isinstance(first, list | tuple | np.ndarray):
        kinds = ((list, tuple, np.ndarray), WORDS)
    for i, item in enumerate(items):
        if not isinstance(item, kinds[0]):
            if not isinstance(item, str | dict | list | tuple):
                raise ArrayError(
                    f"input {i + 1} is of type {type(item).__name__}; Reshape your data to a table, or give "
                    "texts, lists of words or dicts"
                )
            raise DataError(f"input {i + 1}: X mixes {kinds[1]} with other things; give one kind")
    xs = list(items) if kinds[1] != WORDS else [[str(w) if _is_str(w) else w for w in x] for x in items]
    return Inputs(xs, kinds[1], None, array)


def _are_numbers(items: Sequence[Any]) -> bool:
    """Return True if rows hold no words; the first row that is not empty decides."""
    first = next((item for item in items if isinstance(item, str | dict) or len(item)), ("",))
    return not isinstance(first, str | dict) and not any(isinstance(word, str) for word in first)


def _is_str(word: object) -> bool:
    return isinstance(word, str) and type(word) is not str  # numpy's own


def _documents(items: Sequence[Any]) -> Inputs:
    for item in items:
        if not isinstance(item, Document):
            raise DataError("X mixes documents from files with other things; give one kind")
    kind = TEXT if isinstance(items[0].content, str) else NAMED
    wanted = str if kind == TEXT else dict
    for item in items:
        if not isinstance(item.content, wanted):
            raise DataError(f"{item.place}: X mixes texts and numbers; give one kind")
    return Inputs([item.content for item in items], kind, documents=items)


def _as_numbers(items: Sequence[Any]) -> npt.NDArray[Any]:
    try:
        return np.asarray(items, dtype=np.float64)
    except (ValueError, TypeError):
        raise ArrayError("the rows of X are not numbers, or not equally many; give a table") from None


def _array(table: npt.NDArray[Any], array: bool = True) -> Inputs:
    if table.dtype.kind == "c":
        raise ArrayError("X: Complex data not supported; give real numbers")
    if table.ndim == 0:
        raise ArrayError("X is a single value, Expected 2D array; Reshape your data to a table")
    if table.ndim == 1:
        if table.dtype.kind in "biuf":
            raise ArrayError(
                "X: Expected 2D array, got 1D array instead; Reshape your data to a table, one row an input"
            )
        return _listed(table.tolist(), array)
    if table.ndim != 2:
        raise ArrayError(f"X: Found array with dim {table.ndim}; give a table, one row an input")
    if table.dtype.kind not in "biuf":
        try:
            table = table.astype(np.float64)
        except TypeError as error:
            raise ArrayTypeError(f"X: {error}; give numbers") from None
        except ValueError as error:
            raise ArrayError(f"X: {error}; give numbers") from None
    check_shape(table.shape)
    rows, columns = np.nonzero(table)
    begin = np.searchsorted(rows, np.arange(len(table) + 1))
    return _table(table[rows, columns], columns, begin, table.shape[1])


def _sparse(X: Any) -> Inputs:
    if X.dtype.kind == "c":
        raise ArrayError("X: Complex data not supported; give real numbers")
    if X.dtype.kind not in "biuf":
        raise ArrayError(f"X: a sparse matrix of {X.dtype}; give numbers")
    table = X.tocsr()
    if table.has_canonical_format is False:
        table = table.copy()
        table.sum_duplicates()
    check_shape(table.shape)
    return _table(table.data, table.indices, table.indptr, table.shape[1])


def check_shape(shape: Sequence[int]) -> None:
    """Refuse a table without rows or columns."""
    if shape[0] == 0:
        raise ArrayError(f"X: Found array with 0 sample(s) (shape={tuple(shape)}); give at least one row")
    if shape[1] == 0:
        raise ArrayError(
            f"X: Found array with 0 feature(s) (shape={tuple(shape)}) while a minimum of 1 is required."
        )


def _table(
    data: npt.NDArray[Any], indices: npt.NDArray[Any], begin: npt.NDArray[Any], columns: int
) -> Inputs:
    values = np.asarray(data, dtype=np.float64)
    if not np.isfinite(values).all() or (np.abs(values) > LARGEST).any():
        at = int(np.flatnonzero(~(np.abs(values) <= LARGEST))[0])
        row = int(np.searchsorted(begin, at, side="right")) - 1
        raise ArrayError(f"X: row {row + 1} contains NaN, infinity or a value beyond 1e15; fix it")
    keys = column_keys(columns)[indices]
    short = values.astype(np.float32)
    bags: list[Bag] = [(keys[a:b], short[a:b]) for a, b in zip(begin[:-1].tolist(), begin[1:].tolist())]
    return Inputs(bags, ARRAY, columns, True, float(np.abs(values).max(initial=0.0)))


def check_size(inputs: Inputs) -> None:
    """Refuse to learn from numbers so small that their products vanish in float32.

    A few small numbers among others do no harm, and neither do zeros.
    """
    if inputs.is_text:
        return
    sizes = iter([inputs.largest]) if inputs.kind == ARRAY else (s for x in inputs.xs for s in _sizes(x))
    largest = 0.0
    for size in sizes:
        largest = max(largest, size)
        if largest >= SMALLEST:
            return
    if largest:
        raise ArrayError(
            f"X: all numbers are between -{SMALLEST:g} and {SMALLEST:g}, too small to learn from; multiply "
            "them by the same number"
        )


def _sizes(features: dict[str, Any]) -> Iterator[float]:
    """Yield the sizes of named features; values that are not numbers count as 1."""
    for value in features.values():
        size: Any = abs(value) if isinstance(value, int | float | np.number) else 1.0
        yield size


def column_keys(columns: int) -> npt.NDArray[np.uint64]:
    """Return all keys of an array's columns, see `structron.tasks.classification.features.column_key`."""
    seed = np.uint64((COLUMN << 23 | COLUMN >> 41) & 0xFFFFFFFFFFFFFFFF)
    half = np.uint64(32)
    x = (seed ^ np.arange(1, columns + 1, dtype=np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
    x ^= x >> half
    x *= np.uint64(0xD6E8FEB86659FD93)
    return x ^ (x >> half)
