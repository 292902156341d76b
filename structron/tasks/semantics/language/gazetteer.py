"""Gazetteers: sequences of words that name constants, such as states and cities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from structron.errors import SettingError
from structron.io import Place
from structron.io.formats.names import Name, read_names
from structron.io.values.terms import Term

Words = tuple[str, ...]


@dataclass(frozen=True)
class Gazetteer:
    """Names with the constants that they stand for; both may have several of the other.

    Upper and lower case are equal, since questions are often in lower case.
    """

    entries: tuple[Name, ...]

    def __post_init__(self) -> None:
        for words, constant in self.entries:
            if not words or not all(words):
                raise SettingError(f"the name of {constant} has no words; leave it out")

    @classmethod
    def of(cls, names: Iterable[tuple[Sequence[str], Term]]) -> Gazetteer:
        """Collect names in any order, each with its constant; drop duplicates."""
        return cls(tuple(dict.fromkeys((tuple(words), constant) for words, constant in names)))

    @classmethod
    def read(cls, place: Place) -> Gazetteer:
        """Read a file with lines ``words TAB constant``."""
        return cls.of(read_names(place))

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def by_constant(self) -> dict[Term, list[Words]]:
        """Return the names of each constant, in the order of the entries."""
        found: dict[Term, list[Words]] = {}
        for words, constant in self.entries:
            found.setdefault(constant, []).append(words)
        return found

    @cached_property
    def _by_words(self) -> dict[Words, list[Term]]:
        found: dict[Words, list[Term]] = {}
        for words, constant in self.entries:
            known = found.setdefault(tuple(word.casefold() for word in words), [])
            if constant not in known:
                known.append(constant)
        return found

    @cached_property
    def _lengths(self) -> dict[str, list[int]]:
        """Return the possible lengths of names by first word, longest first; few words begin a name."""
        found: dict[str, set[int]] = {}
        for words in self._by_words:
            found.setdefault(words[0], set()).add(len(words))
        return {word: sorted(lengths, reverse=True) for word, lengths in found.items()}

    def matches(self, words: Sequence[str]) -> list[tuple[int, int, Term]]:
        """Find all names in a question: begin, end (after it), constant; left to right, longest first."""
        folded = [word.casefold() for word in words]
        return [
            (begin, begin + length, constant)
            for begin, word in enumerate(folded)
            for length in self._lengths.get(word, ())
            for constant in self._by_words.get(tuple(folded[begin : begin + length]), ())
            if begin + length <= len(folded)
        ]
