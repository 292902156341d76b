"""Sentences cut from text, with the columns that stages have filled; rows are built on demand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structron.io import Sentence
from structron.records import dataclass
from structron.segments.segmented_text import SegmentedSentence
from structron.tasks.pipeline.names.entities import put_labels, with_labels

Column = Sequence[list[Any]] | None  # the values of each sentence; None if unknown


@dataclass(frozen=True)
class Analysis:
    """The result of a pipeline on texts.

    Attributes
    ----------
    segments, numbers
        The sentences as cut, and their numbers in their document.
    columns
        Lemmas, UPOS, XPOS, FEATS, heads (numbers) and relations.
    names
        The labels of names, which go to MISC.
    """

    segments: Sequence[SegmentedSentence]
    numbers: Sequence[int]
    columns: tuple[Column, Column, Column, Column, Column, Column]
    names: Column = None

    def __len__(self) -> int:
        return len(self.segments)

    def _values(self, i: int) -> list[list[Any] | None]:
        return [None if column is None else column[i] for column in self.columns]

    def sentence(self, i: int) -> Sentence:
        """Return a sentence as rows."""
        number = self.numbers[i]
        columns = [
            ["_"] * len(self.segments[i].words) if values is None else [*map(str, values)]
            for values in self._values(i)
        ]
        found = self.segments[i].sentence(number, document=number == 1, columns=columns)
        if self.names is not None:
            put_labels(found.tokens, self.names[i])
        return found

    def rendered(self, i: int) -> str:
        """Return a sentence as the lines of a file."""
        number = self.numbers[i]
        lines = self.segments[i].rendered(number, document=number == 1, columns=self._values(i))
        return lines if self.names is None else with_labels(lines, self.names[i])

    def sentences(self) -> list[Sentence]:
        """Return all sentences as rows."""
        return [self.sentence(i) for i in range(len(self))]

    def conllu(self) -> str:
        """Return all sentences as the lines of a file."""
        return "".join([self.rendered(i) for i in range(len(self))])
