"""Notation: how texts are split into symbols, and symbols joined to a text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from structron.errors import SettingError
from structron.records import dataclass

WAYS = ("characters", "blanks", "decomposed")


@dataclass(frozen=True)
class Notation:
    """The way sources and targets are written: ``characters``, symbols between ``blanks``, or ``decomposed``.

    Decomposed text is characters after canonical decomposition (NFD), composed again on the way out: a Hangul
    syllable becomes its letters, an accented letter becomes letter and accent.

    Examples
    --------
    >>> notation = Notation("characters", "blanks")
    >>> notation.symbols_of_source("phone"), notation.symbols_of_target("F OW N")
    (('p', 'h', 'o', 'n', 'e'), ('F', 'OW', 'N'))
    >>> notation.target(("F", "OW", "N"))
    'F OW N'
    """

    source_way: str = "characters"
    target_way: str = "blanks"

    def __post_init__(self) -> None:
        for way in (self.source_way, self.target_way):
            if way not in WAYS:
                raise SettingError(f"symbols cannot be written as {way!r}; choose {', '.join(WAYS)}")

    @classmethod
    def inferred(
        cls,
        targets: Iterable[str],
        source_way: str | None = None,
        target_way: str | None = None,
        sources: Iterable[str] = (),
    ) -> Notation:
        """Return the usual notation: sources are characters; targets too, unless one of them holds a blank.

        Characters that are made of others, as the syllables of Hangul are of its letters and é of e and its
        accent, are taken apart: what was learned of the parts holds for characters that are rare. Kana are
        not: each is a syllable of its own, voiced or not, and its mark alone tells no sound (decision 37).
        """
        if source_way is None:
            whole = "".join(c for c in sorted(set().union(*sources)) if not "\u3040" <= c <= "\u30ff")
            source_way = None if unicodedata.is_normalized("NFD", whole) else "decomposed"
        if target_way is None:
            target_way = "blanks" if any(" " in target for target in targets) else "characters"
        return cls(source_way or "characters", target_way)

    def symbols_of_source(self, text: str) -> tuple[str, ...]:
        """Split a source into its symbols."""
        return _apart(text, self.source_way)

    def symbols_of_target(self, text: str) -> tuple[str, ...]:
        """Split a target into its symbols."""
        return _apart(text, self.target_way)

    def source(self, symbols: Sequence[str]) -> str:
        """Join the symbols of a source to a text."""
        return _together(symbols, self.source_way)

    def target(self, symbols: Sequence[str]) -> str:
        """Join the symbols of a target to a text."""
        return _together(symbols, self.target_way)


def _apart(text: str, way: str) -> tuple[str, ...]:
    if way == "blanks":
        return tuple(symbol for symbol in text.split(" ") if symbol)
    return tuple(text if way == "characters" else unicodedata.normalize("NFD", text))


def _together(symbols: Sequence[str], way: str) -> str:
    if way == "blanks":
        return " ".join(symbols)
    text = "".join(symbols)
    return text if way == "characters" else unicodedata.normalize("NFC", text)
