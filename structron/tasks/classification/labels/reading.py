"""Reading the labels that users give: texts, whole numbers, truth values, or indicators."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from structron.errors import DataError
from structron.fit.data.inputs import check_label, check_ordered
from structron.tasks.classification.inputs import ArrayError, Inputs
from structron.tasks.classification.labels.kinds import KINDS, LabelKind, Labels


def read_labels(inputs: Inputs, y: Any, many: bool) -> Labels:
    """Read gold labels: one for each input, or any number with `many`."""
    if y is None and inputs.documents is not None:
        return _checked(inputs, _of_documents(inputs, many))
    if y is None:
        raise ArrayError(
            "y is missing: a Classifier requires y to be passed, but the target y is None; give the labels"
        )
    if isinstance(y, str | bytes):
        raise DataError("y is a single string; give a list of labels")
    check_ordered(y, "y")
    return _checked(inputs, _of_many(y) if many else _of_one(y))


def classes_of(given: Iterable[object] | None) -> list[str] | None:
    """Return all possible labels as texts."""
    if given is None:
        return None
    if isinstance(given, str | bytes):
        raise DataError("classes is a single string; give a list of labels")
    found = given if isinstance(given, list) else np.asarray(given).tolist()
    if any(each is None for each in found):
        raise DataError("classes: None is not a label; leave it out")
    return [str(each) for each in found]


def _checked(inputs: Inputs, labels: Labels) -> Labels:
    if len(labels.ys) != len(inputs.xs):
        raise ArrayError(
            f"inconsistent numbers of samples: {len(inputs.xs)} inputs but {len(labels.ys)} labels; "
            "give one each"
        )
    # Each label once: labels are few, and inputs may be millions.
    for label in labels.found:
        try:
            check_label(label, "label")
        except DataError as error:
            i = next(i for i, own in enumerate(labels.ys) if label in own)
            raise DataError(f"{inputs.place(i)}: {error}") from None
    return labels


def _of_documents(inputs: Inputs, many: bool) -> Labels:
    ys: list[list[str]] = []
    for document in inputs.documents or ():
        if document.labels is None:
            raise DataError(f"{document.place}: there is no label; write label TAB text")
        if not many and len(document.labels) != 1:
            raise DataError(
                f"{document.place}: {len(document.labels)} labels where one is needed; set multilabel"
            )
        ys.append(list(document.labels))
    return Labels(ys, sorted({label for labels in ys for label in labels}), LabelKind())


def _of_one(y: Any) -> Labels:
    try:
        column = np.asarray(y if hasattr(y, "__array__") or isinstance(y, list | tuple) else list(y))
    except (TypeError, ValueError):
        raise ArrayError("y is not a list of labels; give one label each, or set multilabel") from None
    if column.ndim == 2 and column.shape[1] == 1:
        _warn_of_column()
        column = column[:, 0]
    if column.ndim != 1:
        raise ArrayError("y has several labels for an input; y should be a 1d array, or set multilabel")
    if column.dtype.kind == "O":
        kinds = {type(each) for each in column}
        if kinds <= {str} or all(issubclass(kind, str) for kind in kinds):
            column = column.astype(str) if len(column) else column
        elif kinds <= {int, bool, np.int64, np.int32}:
            column = column.astype(np.int64)
    kind = KINDS.get(column.dtype.kind) if len(column) else "text"
    if kind is None and any(isinstance(each, set | frozenset | list | tuple) for each in column):
        raise ArrayError("y has several labels for an input; give one label each, or set multilabel")
    if kind is None:
        raise ArrayError("y: Unknown label type: labels are texts or whole numbers; give one for each input")
    if kind == "float":
        if not np.isfinite(column).all():
            raise ArrayError("y: Input y contains NaN or infinity; give a label for each input")
        if (column != np.floor(column)).any():
            raise ArrayError("y: Unknown label type: continuous; a Classifier learns labels and not numbers")
    if isinstance(y, list | tuple) and kind == "text" and not all(isinstance(label, str) for label in y):
        raise ArrayError("y: Unknown label type: texts and other labels are mixed; give all of them as texts")
    if isinstance(y, list) and kind == "text":  # unchanged, since numpy cuts zeros at the end of a text
        texts = [str(label) for label in y]
        return Labels([[label] for label in texts], sorted(set(texts)), LabelKind())
    found = [str(each) for each in np.unique(column).tolist()]
    return Labels([[str(each)] for each in column.tolist()], found, LabelKind(kind))


def _of_many(y: Any) -> Labels:
    table = y.toarray() if hasattr(y, "toarray") else y
    if isinstance(table, np.ndarray) and table.ndim == 2:
        if not np.isin(table, (0, 1)).all():
            raise ArrayError("y is a table of other things than 0 and 1; give a column for each label")
        found = [str(column) for column in range(table.shape[1])]
        ys = [[found[column] for column in np.flatnonzero(row)] for row in table]
        return Labels(ys, found, LabelKind("int", indicator=True))
    ys = []
    for i, own in enumerate(table):
        if isinstance(own, str | bytes) or not hasattr(own, "__iter__"):
            raise DataError(f"y of input {i + 1} is a single label; give a list, which may be empty")
        labels = list(own)
        if not all(isinstance(label, str) for label in labels):
            raise DataError(f"y of input {i + 1}: labels of many must be texts; give a list of str")
        ys.append(sorted(set(map(str, labels))))
    return Labels(ys, sorted({label for labels in ys for label in labels}), LabelKind())


def _warn_of_column() -> None:
    import sys
    import warnings

    from structron.errors import StructronWarning

    kind: type[Warning] = StructronWarning
    if "sklearn" in sys.modules:
        from sklearn.exceptions import DataConversionWarning

        kind = DataConversionWarning
    warnings.warn("A column-vector y was passed when a 1d array was expected; flatten it", kind, stacklevel=6)
