"""Inputs of a translator: texts, lists of words, and references."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from structron.errors import DataError
from structron.fit.data.inputs import check_text, listed, listed_targets
from structron.io.formats.parallel_text import present, words_of
from structron.tasks.translation.writing import WORDS, RawWords, Side, Writing

Words = tuple[str, ...]


@dataclass(frozen=True)
class Lines:
    """The form of the sources: whether each was a text, and the original places of its words.

    Attributes
    ----------
    high
        Whether each begins as sentences of its language do.
    writing
        How texts became words.
    terms
        The translations of words that stand for terms of a glossary, where there is one.
    """

    texts: tuple[bool, ...] = ()
    places: Sequence[Sequence[int]] = ()
    high: tuple[bool, ...] = ()
    writing: Writing = WORDS
    terms: Sequence[dict[str, Words]] = ()

    @staticmethod
    def place(i: int) -> str:
        """Name the place of source `i`, for messages."""
        return f"source {i + 1}"


def read_sources(X: Iterable[object], writing: Writing = WORDS) -> tuple[list[Words], Lines]:
    """Return the words of each source, and the form of the sources."""
    if isinstance(X, str | bytes):
        raise DataError("X is a single string; give a list of sources, each a str or a list of words")
    items = listed(X, "X", "give a list of sources")
    words: list[Words] = []
    places: list[Sequence[int]] = []
    high: list[bool] = []
    for i, item in enumerate(items, 1):
        if isinstance(item, str) and writing.sides[0] is not None:
            check_text(item, f"source {i}")
            raw = writing.sides[0].read(item)
            words.append(tuple(raw.words))
        else:
            words.append(_words(item, f"source {i}", "source"))
            raw = RawWords([], range(len(words[-1])))
        places.append(raw.places)
        high.append(raw.begins_high)
    return words, Lines(tuple(isinstance(item, str) for item in items), places, tuple(high), writing)


def read_targets(y: Iterable[object] | None, count: int, writing: Writing = WORDS) -> list[list[Words]]:
    """Read the references of each source.

    How a list of str is understood depends on all of `y`, never on one item: if targets are texts, it holds
    several references, otherwise it is one reference, word by word. Targets are texts if one item is a str,
    or if a str in a list contains a blank or a line end.
    """
    if y is None:
        raise DataError("y is missing; give the translation of each source")
    items = listed_targets(y, count, "words")
    texts = any(isinstance(item, str) or any(map(_has_blank, item)) for item in items)
    side = writing.sides[1]
    return [_references(item, f"y of source {i}", texts, side) for i, item in enumerate(items, 1)]


def _has_blank(part: object) -> bool:
    return isinstance(part, str) and ("\n" in part or part.split() not in ([part], []))


def _references(item: str | list[object], name: str, texts: bool, side: Side | None) -> list[Words]:
    """Return one reference or several; a list that contains a list always has several."""
    several = not isinstance(item, str) and (texts or not all(isinstance(part, str) for part in item))
    parts = item if several else [item]
    references = [_words(part, name, "target", side) for part in parts]
    if not references:
        raise DataError(f"{name}: there is no reference; give at least one, which may be empty")
    return present(references)


def _words(item: object, name: str, what: str, side: Side | None = None) -> Words:
    if isinstance(item, str) and side is not None:
        found = side.read(item).words
    elif isinstance(item, str):
        found = words_of(item.replace("\n", " "))
    else:
        found = []
        for word in listed(item, name, f"give a {what} as a str or a list of words"):
            if not isinstance(word, str) or not word:
                raise DataError(f"{name}: word {word!r} is not text; give a str that is not empty")
            found.append(word)
    for word in found:
        check_text(word, name)
    return tuple(found)
