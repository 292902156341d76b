"""Noun chunks: a noun with what stands before it, read off a tree of Universal Dependencies."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from structron.tasks.pipeline.results.tokens import Token, Word

NOMINAL = frozenset(("NOUN", "PROPN", "PRON"))
NAMES = frozenset(("compound", "flat", "fixed", "goeswith"))
"""Relations of the further words of a name, which may also stand after its first."""
BEFORE = NAMES | {"det", "amod", "nummod", "nmod", "clf"}
"""Relations of what stands before a noun and belongs to its chunk; no clauses, and no adpositions."""


@dataclass(frozen=True)
class NounChunk:
    """A noun, proper noun or pronoun with the words before it that belong to it.

    Attributes
    ----------
    text
        Its characters as they stand in the text.
    start, end
        The place in the text; None where words were given.
    root
        The noun.
    """

    text: str
    start: int | None
    end: int | None
    words: tuple[Word, ...]
    root: Word

    def __len__(self) -> int:
        return len(self.words)


def chunks_of(words: Sequence[Word], tokens: Sequence[Token]) -> list[NounChunk]:
    """Return the chunks of a sentence, none within another; without a tree none, with a warning."""
    if any(word.head is None for word in words):
        warnings.warn(
            "there are no trees and so no noun chunks; take a pipeline that has a parser", stacklevel=3
        )
        return []
    below: dict[int, list[Word]] = {}
    for word in words:
        below.setdefault(word.head or 0, []).append(word)
    chunks = [(*_extent(word, below), word) for word in words if _is_head(word)]
    taken: set[int] = set()
    found = []
    for first, last, root in sorted(chunks, key=lambda each: each[0] - each[1]):  # the longest first
        if taken.isdisjoint(range(first, last + 1)):
            taken.update(range(first, last + 1))
            found.append(_chunk(tokens, words[first - 1 : last], root))
    return sorted(found, key=lambda chunk: chunk.words[0].id)


def _is_head(word: Word) -> bool:
    return word.upos in NOMINAL and _universal(word) not in NAMES


def _universal(word: Word) -> str:
    return word.deprel.partition(":")[0]


def _extent(root: Word, below: Mapping[int, Sequence[Word]]) -> tuple[int, int]:
    """Return the first and the last word of the chunk around a noun."""
    own = below.get(root.id, ())
    first = edge = last = root.id
    for child in reversed([each for each in own if each.id < root.id]):
        low, high = _covered(child, below)
        if high != edge - 1 or _universal(child) not in {*BEFORE, "punct"}:
            break
        edge = low
        if _universal(child) != "punct":  # which belongs to it only between two other words
            first = low
    for child in own:
        low, high = _covered(child, below)
        if child.id > root.id and low == last + 1 and _universal(child) in NAMES:
            last = high
    return first, last


def _covered(word: Word, below: Mapping[int, Sequence[Word]]) -> tuple[int, int]:
    """Return the first and the last word of the subtree of a word."""
    low = high = word.id
    waiting = [word.id]
    while waiting:
        for child in below.get(waiting.pop(), ()):
            low, high = min(low, child.id), max(high, child.id)
            waiting.append(child.id)
    return low, high


def _chunk(all_tokens: Sequence[Token], words: Sequence[Word], root: Word) -> NounChunk:
    """Return a chunk with the text of its tokens, a blank for the white space between them."""
    first, last = words[0].id, words[-1].id
    tokens = [token for token in all_tokens if token.first <= last and token.beyond > first]
    text = ""
    for before, token in zip([None, *tokens], tokens):
        apart = before is not None and (token.start is None or token.start != before.end)
        text += f"{' ' * apart}{token.text}"
    return NounChunk(text, tokens[0].start, tokens[-1].end, tuple(words), root)
