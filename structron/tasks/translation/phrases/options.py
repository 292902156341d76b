"""Phrase options: the ways to translate the spans of one sentence, numbered as actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

Words = Sequence[str]


class Option(NamedTuple):
    """A phrase pair applied to the source words from `start` to `end`.

    Attributes
    ----------
    scores
        Logarithms of the four translation probabilities.
    reordering
        Logarithms of its orientation to the phrase before it (monotone, swap, discontinuous), then to the
        phrase after it.
    links
        Pairs of source and target places inside the phrase that are aligned.
    is_copy
        True for a copied word, which is no phrase of the table.
    """

    start: int
    end: int
    target: tuple[str, ...]
    scores: tuple[float, ...]
    reordering: tuple[float, ...]
    links: tuple[tuple[int, int], ...] = ()
    is_copy: bool = False


class Phrases(Protocol):
    """The protocol of a phrase table."""

    @property
    def longest(self) -> int:
        """Return the length of its longest source phrase."""
        ...

    def of(self, source: tuple[str, ...], /) -> Sequence[Option]:
        """Return the options of a source phrase, in the table's order; their spans begin at 0."""
        ...


def copy_option(word: str, at: int) -> Option:
    """Return the option of a word that the table does not translate."""
    return Option(at, at + 1, (word,), (0.0,) * 4, (0.0,) * 6, ((0, 0),), True)


@dataclass(frozen=True)
class AdjustedScores:
    """The remaining count of an option without the current training pair, and two of its scores."""

    count: int
    target_given_source: float
    source_given_target: float


# By source and target phrase.
Adjustments = Mapping[tuple[tuple[str, ...], tuple[str, ...]], AdjustedScores]


def options_of(
    table: Phrases, source: Words, left: Adjustments | None = None, least: int = 1
) -> list[Option]:
    """Return all options of a sentence, by start, then end, then the table's order.

    A word that is no phrase of its own is copied, so that every sentence can be translated. With `left`, the
    table is used as if it had not seen this sentence (leave one out): an option with a remaining count below
    `least` is dropped, unless it translates one word by one word.
    """
    found: list[Option] = []
    for start in range(len(source)):
        for end in range(start + 1, min(start + max(1, table.longest), len(source)) + 1):
            phrase = tuple(source[start:end])
            every = (
                _without(each, (left or {}).get((phrase, each.target)), least) for each in table.of(phrase)
            )
            here = [each._replace(start=start, end=end) for each in every if each is not None]
            if end == start + 1 and not here:
                here = [copy_option(source[start], start)]
            found += here
    return found


def _without(option: Option, left: AdjustedScores | None, least: int) -> Option | None:
    """Return an option without a pair of sentences, or None if too little is left of it."""
    if left is None:
        return option
    if left.count < least and (option.end - option.start, len(option.target)) != (1, 1):
        return None
    _, lexical, _, inverse_lexical = option.scores
    return option._replace(
        scores=(left.target_given_source, lexical, left.source_given_target, inverse_lexical)
    )
