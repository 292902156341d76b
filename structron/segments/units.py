"""Units: the pieces of a text between which a token or a sentence may begin.

A run of letters, of letters of scripts without case, or of digits is one unit, and so is every mark of
punctuation. What is none of these (accents, joiners, control characters, halves of surrogate pairs) goes with
what stands before it. White space separates units and is in none. Where training data begin tokens inside
runs as a matter of course, as in Chinese, runs of that class are cut into single characters.

`core/tasks/segmentation/units.hpp` does the same, faster.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from structron.features.atoms import kind

if TYPE_CHECKING:
    from structron import _core

CLASSES = ("letter", "other", "digit")  # which may be cut into single characters
_NAMES = {"U": "letter", "L": "letter", "O": "other", "D": "digit", "P": "mark", "Z": "rest"}


class Unit(NamedTuple):
    """A piece of a text: its begin and end, and True if white space or nothing stands before it."""

    begin: int
    end: int
    white: bool


@lru_cache(1 << 14)
def class_of(char: str) -> str:
    """Return the class of a character by which texts are cut."""
    return "white" if char.isspace() else _NAMES[kind(char)]


def cut(text: str, alone: Collection[str] = ()) -> list[Unit]:
    """Cut a text into units; the classes in `alone` are cut into single characters.

    >>> [text[begin:end] for text in ["It's 3pm."] for begin, end, _ in cut(text)]
    ['It', "'", 's', '3', 'pm', '.']
    """
    units: list[Unit] = []
    before = "white"  # the class of the unit that is open, if one is
    for i, char in enumerate(text):
        now = class_of(char)
        if now == "white":
            before = now
        elif before != "white" and (now == "rest" or (now == before and now != "mark" and now not in alone)):
            units[-1] = units[-1]._replace(end=i + 1)
        else:
            units.append(Unit(i, i + 1, before == "white"))
            before = now
    return units


def plain_cutter(alone: tuple[bool, bool, bool]) -> _core.UnitCutter:
    """Create the engine's cutter of texts for a model that knows nothing; `alone` are classes, as above."""
    from structron import _core

    return _core.UnitCutter(alone, array("Q"), b"", array("Q"), b"", 0, 1)


def cut_by(cutter: _core.UnitCutter, text: str) -> list[Unit]:
    """Return the same units, cut by the engine."""
    begins, ends, whites = (each.tolist() for each in cutter.places(text))
    return [*map(Unit, begins, ends, map(bool, whites))]


def spelled(text: str, unit: Unit) -> str:
    """Return the characters of a unit; half of a surrogate pair is not a character and becomes U+FFFD."""
    piece = text[unit.begin : unit.end]
    return piece if piece.isascii() else "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in piece)


def word(text: str, unit: Unit) -> str:
    """Return a unit as templates read it: after a blank if white space or nothing precedes it."""
    return (" " if unit.white else "") + spelled(text, unit)
