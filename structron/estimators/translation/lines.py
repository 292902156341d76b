"""Sources and targets as users give them: texts, lists of words, references."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from structron.data.bitext import words_of
from structron.data.parallel import present
from structron.errors import DataError

Words = tuple[str, ...]


@dataclass(frozen=True)
class Lines:
    """How sources came: for each whether it was a text, and not a list of words."""

    texts: tuple[bool, ...] = ()

    @staticmethod
    def place(i: int) -> str:
        """Where source `i` stands, for messages."""
        return f"source {i + 1}"


def read_sources(X: Iterable[object]) -> tuple[list[Words], Lines]:
    """The words of each source, and how they came."""
    if isinstance(X, str | bytes):
        raise DataError("X is a single string; give a list of sources, each a str or a list of words")
    items = _listed(X, "X", "give a list of sources")
    words = [_words(item, f"source {i}", "source") for i, item in enumerate(items, 1)]
    return words, Lines(tuple(isinstance(item, str) for item in items))


def read_targets(y: Iterable[object] | None, count: int) -> list[list[Words]]:
    """For each source its references.

    What a list of str is depends on all of `y`, never on one item: where targets are texts it holds several
    references, otherwise it is one reference, word by word. Targets are texts if one item is a str, or if a
    str in a list holds a blank.
    """
    if y is None:
        raise DataError("y is missing; give the translation of each source")
    if isinstance(y, str | bytes):
        raise DataError("y is a single string; give a list with a translation of each source")
    items = _listed(y, "y", "give a list of translations")
    if len(items) != count:
        raise DataError(f"{count:,} sources but {len(items):,} targets; give a target for each source")
    advice = "give a str, a list of words, or a list of references"
    listed = [
        item if isinstance(item, str) else _listed(item, f"y of source {i}", advice)
        for i, item in enumerate(items, 1)
    ]
    texts = any(isinstance(item, str) or any(map(_has_blank, item)) for item in listed)
    return [_references(item, f"y of source {i}", texts) for i, item in enumerate(listed, 1)]


def _has_blank(part: object) -> bool:
    return isinstance(part, str) and len(part.split()) > 1


def _references(item: str | list[object], name: str, texts: bool) -> list[Words]:
    """One reference or several; a list with a list in it has several whatever the others are."""
    several = not isinstance(item, str) and (texts or not all(isinstance(part, str) for part in item))
    references = [_words(part, name, "target") for part in (item if several else [item])]
    if not references:
        raise DataError(f"{name}: there is no reference; give at least one, which may be empty")
    return present(references)


def _words(item: object, name: str, what: str) -> Words:
    if isinstance(item, str):
        found = words_of(item.replace("\n", " "))
    else:
        found = []
        for word in _listed(item, name, f"give a {what} as a str or a list of words"):
            if not isinstance(word, str) or not word:
                raise DataError(f"{name}: word {word!r} is not text; give a str that is not empty")
            found.append(word)
    for word in found:
        if not word.isascii() and any("\ud800" <= c <= "\udfff" for c in word):
            raise DataError(
                f"{name}: {word[:80]!r} holds half of a surrogate pair, which is not a character; fix it"
            )
    return tuple(found)


def _listed(values: Any, name: str, advice: str) -> list[object]:
    if isinstance(values, bytes):
        raise DataError(f"{name} is bytes; decode them first")
    if isinstance(values, np.ndarray) and values.ndim:
        return list(values.tolist())  # of str, where `list` would leave numpy's own
    try:
        return list(values)
    except TypeError:
        raise DataError(f"{name} is of type {type(values).__name__}; {advice}") from None
