"""Characters of a text as word templates see them: their classes, and the known tokens.

Every letter, digit and mark is a character of its own; anything else belongs to the character before it.
`core/tasks/segmentation/characters.hpp` is the engine's twin.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from structron.features.keys import BOUNDARY, combine, hash_bytes
from structron.segments.units import CLASSES, Unit, class_of, cut, spelled
from structron.tasks.segmentation.units.known_tokens import (
    BLANK,
    LONGEST,
    START,
    KnownTokens,
    Own,
    known_in,
    look_up,
)

NUMERALS = "〇零一二三四五六七八九十百千万亿两"
DATES = "年月日时分秒"
_KINDS = ("white", "rest", "letter", "other", "digit", "mark", "numeral", "date")
MOST = 31  # the greatest length of a known token
OFTEN, COMMON = 2, 5  # sightings


class Characters:
    """A text, character by character; values of atoms are never 0 unless they have no value.

    Parameters
    ----------
    own
        The text's own words, in training.
    """

    def __init__(self, text: str, known: KnownTokens, own: Own = MappingProxyType({})) -> None:
        self.units: Sequence[Unit] = cut(text, CLASSES)
        self.values = [hash_bytes(spelled(text, unit).encode()) for unit in self.units]
        # White space before a character belongs to it, except at the beginning of the text.
        self.symbols = [
            value ^ BLANK if unit.white and i else value
            for i, (value, unit) in enumerate(zip(self.values, self.units))
        ]
        self.kinds = [1 + _KINDS.index(kind_of(text[unit.begin])) for unit in self.units]
        self.known = [hash_bytes(said.encode()) for said in look_up(known, text, self.units, own)]
        self._times: list[dict[int, int]] = [{} for _ in self.units]  # sightings of known tokens, by length
        for begin, length, times in known_in(known, self.values, self.symbols, own):
            if length <= MOST:
                self._times[begin][length] = times

    def __len__(self) -> int:
        return len(self.units)

    def local(self, name: str, at: int, offset: int) -> int:
        """Return the value of an atom that sees the text alone, at the character `at`.

        There is a boundary one place before the first character and one after the last. Beyond it the value
        is 0, and so it is if two characters differ that should be equal.
        """
        place = at + offset
        if not -1 <= place <= len(self):
            return 0
        inside = 0 <= place < len(self)
        if name == "r":
            return int(inside and at < len(self) and self.values[place] == self.values[at])
        if not inside:
            return BOUNDARY
        return {"c": self.symbols, "k": self.kinds, "d": self.known}[name][place]

    def word(self, begin: int, end: int) -> int:
        """Return the key of the characters from `begin` to `end`, as among the known tokens."""
        key = combine(START, self.values[begin])
        for symbol in self.symbols[begin + 1 : end]:
            key = combine(key, symbol)
        return key

    def how_known(self, begin: int, end: int) -> int:
        """Return 1 for an unknown word, 3 for a single character.

        Known tokens have 2, 4 or 5: the more often it was seen, the more.
        """
        if end - begin == 1:
            return 3
        times = self._times[begin].get(end - begin, 0)
        return 5 if times >= COMMON else 4 if times >= OFTEN else 1 + (times > 0)

    def longest_known(self, begin: int) -> int:
        """Return the length of the longest known token that begins there, at most 8, plus 1."""
        return 1 + min(max(self._times[begin], default=0), LONGEST)


def kind_of(char: str) -> str:
    """Return the class of a character; signs for numbers and dates have classes of their own."""
    return "numeral" if char in NUMERALS else "date" if char in DATES else class_of(char)
