"""Writing systems: raw sentences become the words of the tables, and words become sentences again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy.typing as npt

from structron.engine.rows import Arrays, typed
from structron.engine.texts import pack_texts, unpack_texts
from structron.errors import ModelError
from structron.tasks.translation.words.tokenisation import (
    AFTER,
    BEFORE,
    detokenised,
    looks_raw,
    side_of_apostrophes,
    tokenised,
)
from structron.tasks.translation.words.truecasing import Truecaser

_NAME = "writing"
_SIDES = ("source", "target")


class RawWords(NamedTuple):
    """The words of a raw sentence, the word between blanks that each is part of, and how it begins."""

    words: list[str]
    places: Sequence[int]
    begins_high: bool = True


@dataclass(frozen=True)
class Side:
    """The writing of one language: where apostrophes are cut, and the case of words."""

    apostrophes: str
    truecaser: Truecaser

    @classmethod
    def of(cls, texts: Sequence[str]) -> Side:
        """Learn it from raw sentences."""
        side = side_of_apostrophes(texts)
        return cls(side, Truecaser.of(tokenised(text, side)[0] for text in texts))

    def read(self, text: str) -> RawWords:
        """Return the words of a raw sentence."""
        tokens, places = tokenised(text, self.apostrophes)
        return RawWords(self.truecaser.lowered(tokens), places, self.truecaser.begins_high(tokens))

    def write(self, words: Sequence[str], begins_high: bool = True) -> tuple[str, list[int]]:
        """Return the sentence of words, and the word between blanks that each is part of."""
        return detokenised(self.truecaser.raised(words) if begins_high else words)


@dataclass(frozen=True)
class Writing:
    """The writing of both languages; None for a side whose words stand between blanks.

    Examples
    --------
    >>> writing = Writing.of(["Das Haus ist alt."], ["The house is old."], None)
    >>> writing.sides[0].read("Das Haus, alt.").words, writing.sides[1].write(["the", "house", "￭."])[0]
    (['Das', 'Haus', '￭,', 'alt', '￭.'], 'The house.')
    """

    sides: tuple[Side | None, Side | None] = (None, None)

    @classmethod
    def of(cls, sources: Sequence[str], targets: Sequence[str], pretokenized: bool | None) -> Writing:
        """Learn it from sentences; with None those of a side are raw if their punctuation says so."""
        if pretokenized:
            return WORDS
        sides = [
            Side.of(texts) if texts and (pretokenized is False or looks_raw(texts)) else None
            for texts in (sources, targets)
        ]
        return cls((sides[0], sides[1])) if any(sides) else WORDS

    @property
    def header(self) -> dict[str, Any]:
        """Return plain data for a model file; nothing if both sides are words."""
        if self == WORDS:
            return {}
        told = {
            name: [side.apostrophes, side.truecaser.capitals]
            for name, side in zip(_SIDES, self.sides)
            if side is not None
        }
        return {_NAME: told}

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the forms of words."""
        found: dict[str, npt.NDArray[Any]] = {}
        for name, side in zip(_SIDES, self.sides):
            if side is not None:
                found |= pack_texts(f"{_NAME}.{name}", side.truecaser.forms)
        return found

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Writing:
        """Restore it from a model file; older files have words."""
        if _NAME not in header:
            return WORDS
        told = typed(header, _NAME, dict)
        sides: list[Side | None] = []
        for name in _SIDES:
            match told.get(name):
                case None:
                    sides.append(None)
                case [str(apostrophes), bool(capitals)] if apostrophes in (BEFORE, AFTER):
                    forms = tuple(unpack_texts(arrays, f"{_NAME}.{name}"))
                    sides.append(Side(apostrophes, Truecaser(forms, capitals)))
                case _:
                    raise ModelError(
                        f"its {_NAME} of the {name} should be a side of apostrophes and a truth value"
                    )
        return cls((sides[0], sides[1]))


WORDS = Writing()


def strings_of(items: Iterable[object]) -> list[str]:
    """Return the texts among sources, or among references of several sources."""
    found: list[str] = []
    for item in items:
        found += [item] if isinstance(item, str) else [part for part in _parts(item) if isinstance(part, str)]
    return found


def _parts(item: object) -> Iterable[object]:
    return item if isinstance(item, list | tuple) else ()
