"""Habits of words: what raw text without labels taught about their case and about periods after them.

A word of a few characters describes a unit in the third column. For letters: whether running text has the
word in lower case, with a capital or in both, and whether it often begins a sentence. For a period: what is
before it (a single letter, a number, letters with periods, other letters), how often that has a period, how
often small letters follow then, whether it is an abbreviation (Kiss & Strunk 2006), and whether it and the
next word are a collocation. `structron.tasks.segmentation.fitting.habits_from_text` learns them. The fourth
column describes lines (`line_marks`). `core/tasks/segmentation/habits.hpp` is the engine's twin.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from structron.engine.rows import Arrays, keys_of, view_of
from structron.engine.texts import pack_texts, unpack_texts
from structron.errors import ModelError
from structron.features.casing import lower
from structron.features.keys import combine, hash_bytes
from structron.segments.units import Unit, class_of, spelled

if TYPE_CHECKING:
    import numpy.typing as npt

PAIR = 0x434F4C4C4F434154
LONGEST = 16  # units before a period
NARROWEST = 40  # nobody wraps text to fewer characters
NONE = "-"


class Habits(NamedTuple):
    """Keys of words in lower case and of collocations, in increasing order; a byte of each; abbreviations.

    Bits of the byte: 0 and 1 how often a period follows, 2 and 3 how often small letters follow that, 4 an
    abbreviation, 5 and 6 the case in running text, 7 often begins a sentence.
    """

    keys: array[int]
    values: bytes
    abbreviations: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return len(self.keys) > 0

    @classmethod
    def empty(cls) -> Habits:
        """Return habits of no word."""
        return cls(array("Q"), b"")

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a model file; none if nothing is known."""
        import numpy as np

        if not len(self.keys):
            return {}
        return {
            "habits.keys": np.asarray(self.keys),
            "habits.values": np.frombuffer(self.values, np.uint8),
            **pack_texts("habits.abbreviations", self.abbreviations),
        }

    @classmethod
    def restore(cls, arrays: Arrays) -> Habits:
        """Restore the habits of a model file."""
        if "habits.keys" not in arrays:
            return cls.empty()
        found = cls(
            keys_of(arrays, "habits.keys"),
            view_of(arrays, "habits.values", "U8").tobytes(),
            tuple(unpack_texts(arrays, "habits.abbreviations")),
        )
        if len(found.keys) != len(found.values):
            raise ModelError("its habits of words do not fit together")
        return found


def word_key(word: str) -> int:
    """Return the key of a word in lower case."""
    return hash_bytes(word.encode("utf-8", "replace"))


def pair_key(first: str, second: str) -> int:
    """Return the key of two words with a period between them."""
    return combine(combine(PAIR, word_key(first)), word_key(second))


def describe(habits: Habits, text: str, units: Sequence[Unit]) -> list[str]:
    """Return the word of the third column of each unit."""
    known = dict(zip(habits.keys, habits.values))
    found = []
    for i, unit in enumerate(units):
        kind = class_of(text[unit.begin])
        if kind in ("letter", "other"):
            seen = known.get(word_key(_lower(text, unit.begin, unit.end)), 0)
            found.append(f"w{seen >> 5 & 3}{seen >> 7}")
        elif text[unit.begin] == "." and not unit.white:
            found.append(_period(known, text, units, i))
        else:
            found.append(NONE)
    return found


def _period(known: dict[int, int], text: str, units: Sequence[Unit], i: int) -> str:
    first = i
    while i - first < LONGEST and not units[first].white and _may_precede(text[units[first - 1].begin]):
        first -= 1
    if first == i:
        return NONE
    begin, end = units[first].begin, units[i].begin
    own = _lower(text, begin, end)
    seen = known.get(word_key(own), 0)
    kind = class_of(text[begin])
    form = "i" if end - begin == 1 and kind == "letter" else "d" if kind == "digit" else "a"
    if form == "a" and "." in own:
        form = "p"
    pair = 0
    if i + 1 < len(units) and units[i + 1].white:
        pair = known.get(pair_key(own, _lower(text, units[i + 1].begin, units[i + 1].end)), 0)
    return f"{form}{seen & 3}{seen >> 2 & 3}{seen >> 4 & 1}{int(pair > 0)}"


def _may_precede(char: str) -> bool:
    return char in ".-&" or class_of(char) in ("letter", "other", "digit")


def _lower(text: str, begin: int, end: int) -> str:
    return lower(spelled(text, Unit(begin, end, False)))


def line_marks(text: str, units: Sequence[Unit]) -> list[str]:
    """Return the word of the fourth column: ``s`` or ``f`` for a unit that begins a line.

    ``s``: the line before is short; the first word would have had room there, in a text as wide as its
    longest line, or as wide as texts are wrapped at least. ``f``: that line was full.
    """
    lines = text.split("\n")
    longest = max(NARROWEST, *map(len, lines))
    found = [NONE] * len(units)
    line = 0  # where the current line begins
    for u in range(len(units) - 1):
        gap = text.rfind("\n", units[u].end, units[u + 1].begin)
        if gap < 0:
            continue
        word = units[u + 1].begin
        while word < len(text) and not text[word].isspace():
            word += 1
        used, more = units[u].end - line, word - units[u + 1].begin
        found[u + 1] = "s" if used + 1 + more <= longest else "f"
        line = gap + 1
    return found
