"""Words of raw text, cut simply: at blanks and marks, as the labelled data cut them.

Which marks are words of their own is decided by what most labelled words do, so that a part of the data
decides alike. A word of text is in lower case.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any, Self

from structron.features.atoms import kind

_TOGETHER = 2000  # lines that a segmenter cuts at a time
FEW = 200_000  # labelled words that are looked at
MOST_KEPT = 500_000  # different pieces whose words are remembered
_APOSTROPHES = "'’"
_DASHES = "-–—/"
_ENDS = frozenset(".!?…。！？")
_MARKS = re.compile(r"(\w(?:.*\w)?)", re.DOTALL)
_RUNS = re.compile(r"((.)\2*)", re.DOTALL)
_BACK = re.compile(rf"(.+?)([{_APOSTROPHES}]\w{{1,3}})")
_FRONT = re.compile(rf"(\w{{1,7}}[{_APOSTROPHES}])(.+)")
_NOT = re.compile(rf"(\w+?)(n[{_APOSTROPHES}]t)")
_DASH = re.compile(f"([{_DASHES}]+)")


@dataclass(frozen=True)
class Cut:
    """A way to cut text into sentences of lowercase words, with its name and a description."""

    sentences: Callable[[Iterable[str]], Iterator[Sequence[str]]]
    name: str
    how: str = "cut at blanks and marks"

    @classmethod
    def by(cls, segment: Callable[[list[str]], Iterable[Iterable[Any]]], made_from: object) -> Self:
        """Return how a segmenter cuts text; it is named for what it was made from."""

        def sentences(lines: Iterable[str]) -> Iterator[list[str]]:
            left = (line for line in lines if not line.isspace())
            while batch := list(islice(left, _TOGETHER)):
                for found in segment(batch):
                    yield from (["".join(word.lower().split()) for word in each.words] for each in found)

        return cls(
            sentences,
            f"segmenter {json.dumps(made_from, sort_keys=True, default=str)}",
            "cut by the segmenter",
        )


@dataclass(frozen=True)
class Cutter:
    """A tokenizer that cuts as labelled data cut.

    Attributes
    ----------
    apostrophe
        ``back`` cuts *'s* off the end of a word, ``front`` *l'* off its beginning, ``""`` neither.
    negation
        Whether *n't* is a word.
    dashes
        Whether dashes inside a word are words.
    glued
        Marks that stay at the beginning of a word, such as ``#`` and ``@``.
    characters
        Whether every character is a word.
    """

    apostrophe: str = "back"
    negation: bool = False
    dashes: bool = False
    glued: str = ""
    characters: bool = False

    @classmethod
    def of(cls, words: Iterable[str]) -> Self:
        """Return how labelled words are cut, by what most of them do."""
        back = front = joined = negations = dashed = dashes = single = count = 0
        first = dict.fromkeys("#@", 0)
        for word in islice(words, FEW):
            count += 1
            if len(word) == 1:
                single += kind(word) == "O"
                dashes += word in _DASHES
                if word in first:
                    first[word] -= 1
                continue
            dashes += word in ("--", "---")
            if word.isalnum():
                continue
            at = max(map(word.find, _APOSTROPHES))
            if word[-3:].lower() in ("n't", "n’t"):
                negations += 1 if len(word) == 3 else -1
            back += at == 0 and word[1:].isalpha()
            front += at == len(word) - 1 and word[:-1].isalpha()
            joined += 0 < at < len(word) - 1
            dashed += any(dash in word[1:-1] for dash in _DASHES) and word[0] not in _DASHES
            if word[0] in first:
                first[word[0]] += 1
        cut_off = "" if joined > back + front + negations else "back" if back >= front else "front"
        glued = "".join(mark for mark, more in first.items() if more > 0)
        return cls(cut_off, negations > 0, dashes > dashed, glued, 2 * single > count)

    def __str__(self) -> str:
        return " ".join(f"{each.name}={getattr(self, each.name)}" for each in fields(self))

    def sentences(self, lines: Iterable[str]) -> Iterator[list[str]]:
        """Yield the words of text, sentence by sentence; a line ends one, too."""
        known: dict[str, tuple[list[str], bool]] = {}
        for line in lines:
            words: list[str] = []
            for piece in line.lower().split():
                found = known.get(piece)
                if found is None:
                    if len(known) >= MOST_KEPT:
                        known.clear()
                    found = known[piece] = self._piece(piece)
                words += found[0]
                if found[1]:
                    yield words
                    words = []
            if words:
                yield words

    def _piece(self, piece: str) -> tuple[list[str], bool]:
        words = list(piece) if self.characters else self.cut(piece)
        return words, not _ENDS.isdisjoint(words[-2:])

    def cut(self, piece: str) -> list[str]:
        """Return the words of a piece between blanks."""
        if piece.isalnum():
            return [piece]
        match = _MARKS.search(piece)
        if match is None:
            return _runs(piece)
        before, body, after = piece[: match.start()], match[0], piece[match.end() :]
        if before and before[-1] in self.glued:
            before, body = before[:-1], before[-1] + body
        if before and before[-1] in _APOSTROPHES and self.apostrophe == "back" and len(body) <= 2:
            before, body = before[:-1], before[-1] + body
        return [*_runs(before), *self._body(body), *_runs(after)]

    def _body(self, body: str) -> list[str]:
        if self.dashes and _DASH.search(body) and "://" not in body:
            return [word for part in _DASH.split(body) if part for word in self._joined(part)]
        return self._joined(body)

    def _joined(self, body: str) -> list[str]:
        if self.negation and (match := _NOT.fullmatch(body)):
            return list(match.groups())
        pattern = {"back": _BACK, "front": _FRONT}.get(self.apostrophe)
        match = pattern.fullmatch(body) if pattern else None
        return list(match.groups()) if match else [body]


def _runs(marks: str) -> list[str]:
    """Return marks one by one, but the same ones in a row as one."""
    return [run for run, _ in _RUNS.findall(marks)]
