"""Lists and texts as users give them, looked at before anything is learned from them."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, TypeGuard

from structron.engine.rows import is_text
from structron.errors import DataError

if TYPE_CHECKING:
    import numpy.typing as npt


def is_array(values: object) -> TypeGuard[npt.NDArray[Any]]:
    """Return whether it is a numpy array, without importing numpy: whoever made one has done so."""
    return isinstance(values, getattr(sys.modules.get("numpy"), "ndarray", ()))


def check_ordered(values: object, name: str) -> None:
    """Refuse a set, whose order is another in each process, and a dict, which is not a list."""
    if isinstance(values, set | frozenset):
        raise DataError(f"{name} is a set, which has no order; give a list")
    if isinstance(values, dict) and not hasattr(values, "tocsr"):  # one kind of sparse matrix is a dict too
        raise DataError(f"{name} is a dict; give a list")


def check_label(label: object, name: str) -> None:
    """Refuse a label that no file can hold, or that says nothing; blanks inside it are welcome."""
    if not isinstance(label, str) or not is_text(label):
        raise DataError(f"{name} {label!r} is not text; give a str")
    if not label.strip():
        raise DataError(f"{name} {label!r} is empty; give it a name")
    if "\n" in label or "\r" in label:
        raise DataError(f"{name} {label!r} holds a line end, which no file can hold; change it")


def check_classes(classes: Iterable[object], known: Collection[str] | None) -> None:
    """Refuse `classes` of `partial_fit` that are not texts, or not in the model of an earlier batch."""
    if isinstance(classes, str | bytes):
        raise DataError("classes is a single string; give a list of labels")
    for label in classes:
        check_label(label, "classes: label")
        if known is not None and label not in known:
            raise DataError(
                f"classes: label {label!r} was not there before; pass all labels on the first call, and the "
                "same or none later"
            )


def listed(values: Any, name: str, advice: str) -> list[object]:
    """The items of what should be a list; `name` and `advice` are for the message if it is none."""
    if isinstance(values, bytes):
        raise DataError(f"{name} is bytes; decode them first")
    check_ordered(values, name)
    if is_array(values) and values.ndim:
        return list(values.tolist())  # of str, where `list` would leave numpy's own
    try:
        return list(values)
    except TypeError:
        raise DataError(f"{name} is of type {type(values).__name__}; {advice}") from None


def listed_targets(y: Any, count: int, parts: str) -> list[str | list[object]]:
    """Targets as texts or lists, one for each of `count` sources; `parts` is what they consist of."""
    if isinstance(y, str | bytes):
        raise DataError("y is a single string; give a list with a target for each source")
    items = listed(y, "y", "give a list of targets")
    if len(items) != count:
        raise DataError(
            f"{count:,} sources but {len(items):,} targets; give a target for each source, or a list of "
            "references"
        )
    advice = f"give a str, a list of {parts}, or a list of references"
    return [
        item if isinstance(item, str) else listed(item, f"y of source {i}", advice)
        for i, item in enumerate(items, 1)
    ]


def check_text(text: str, name: str) -> None:
    """Refuse halves of characters, which no file can hold."""
    if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
        raise DataError(
            f"{name}: {text[:80]!r} holds half of a surrogate pair, which is not a character; fix it"
        )
