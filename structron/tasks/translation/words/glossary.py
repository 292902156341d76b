"""Glossaries: terms of a source whose translation is given.

A term becomes one word that no table knows. The decoder copies it, once, where it belongs, and in the output
it becomes the translation. So phrases and rules with gaps obey alike, and so do all searches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from structron.errors import DataError
from structron.fit.data.entries import Entries

Words = tuple[str, ...]
Read = Callable[[str], Sequence[str]]  # a text as words of one side
FIRST = 0xF0000  # the first of the characters that are left for private use


class Terms(NamedTuple):
    """A source with its terms: its words, the places of these before, and by copied word its translation."""

    words: Words
    places: list[int]
    translations: dict[str, Words]


def with_terms(words: Words, places: Sequence[int], entries: Entries, source: Read, target: Read) -> Terms:
    """Replace the terms of a source: of those that begin at a word the longest."""
    known = {tuple(source(" ".join(phrase))): labels for phrase, labels in entries.labels.items()}
    read = Entries({" ".join(phrase): labels for phrase, labels in known.items() if phrase})
    made: list[str] = []
    left: list[int] = []
    translations: dict[str, Words] = {}
    done = 0
    for begin, end, labels in [*read.found(words), (len(words), len(words), ())]:
        made += words[done:begin]
        left += places[done:begin]
        done = end
        if begin == end:
            break
        if len(labels) != 1:
            raise DataError(
                f"glossary term {' '.join(words[begin:end])!r} has {len(labels)} translations; give one"
            )
        made.append(chr(FIRST + len(translations)))
        left.append(places[begin])
        translations[made[-1]] = tuple(target(labels[0]))
    return Terms(tuple(made), left, translations)


def written_out(words: Sequence[str], translations: dict[str, Words]) -> tuple[list[str], list[int]]:
    """Return an output with its terms translated, and where each of its words begins there."""
    found: list[str] = []
    begins: list[int] = []
    for word in words:
        begins.append(len(found))
        found += translations.get(word, (word,))
    return found, begins
