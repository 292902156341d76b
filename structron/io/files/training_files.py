"""Training data in files, which are read again in every epoch."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from structron.errors import DataError
from structron.io.files.atomic_write import reason
from structron.io.files.patterns import check_alike, expanded
from structron.io.files.reading import Report, read
from structron.io.files.sentence import Sentence, missing
from structron.io.formats.columns import Names

_CHUNK = 1 << 20


class Position(NamedTuple):
    """A position in files: the next or current one, and the number of its sentences read so far."""

    file: int = 0
    sentences: int = 0


@dataclass(frozen=True)
class Files:
    """Labelled sentences from several files, which can be read more than once.

    Parameters
    ----------
    places
        Names, folders and patterns (see `structron.io.files.patterns`), or one of them.
    format, columns, encoding, skip_bad
        How they are read, see `structron.io.read`.
    target
        The column that every word must have a value in; otherwise the one that a tagger predicts.
    report
        Counts the sentences that `skip_bad` skipped in the last reading.

    Examples
    --------
    ``estimator.fit(Files("treebank/*.conllu"), stream="shards")``
    """

    places: str | Iterable[str]
    format: str | None = None
    columns: Names | None = None
    encoding: str = "utf-8"
    skip_bad: bool = False
    target: str | int | None = None
    report: Report = field(default_factory=Report, compare=False)

    def __post_init__(self) -> None:
        given = (self.places,) if isinstance(self.places, str) else self.places
        object.__setattr__(self, "places", expanded(map(str, given)))

    def __iter__(self) -> Iterator[Sentence]:
        return (sentence for _, sentence in self.since(Position()))

    def since(self, position: Position) -> Iterator[tuple[Position, Sentence]]:
        """Yield the sentences after a position, each with the position after it."""
        object.__setattr__(self, "report", Report())
        first: Sentence | None = None
        for number in range(position.file, len(self.names)):
            passed_over = position.sentences if number == position.file else 0
            for count, sentence in enumerate(self._labelled(self.names[number]), 1):
                if first is None or sentence.format is not first.format:
                    check_alike([first or sentence, sentence])
                    first = first or sentence
                if count > passed_over:
                    yield Position(number, count), sentence

    @property
    def names(self) -> tuple[str, ...]:
        """Return the expanded file names."""
        return tuple(self.places)

    def _labelled(self, file: str) -> Iterator[Sentence]:
        read_so = {"format": self.format, "columns": self.columns, "encoding": self.encoding}
        found = read(file, skip_bad=self.skip_bad, report=self.report, **read_so)  # type: ignore[arg-type]
        return with_labels(found, self.target, self.skip_bad, self.report)

    def part(self, number: int, of: int) -> Files:
        """Return the share of one of several readers: every `of`-th file, beginning with `number`."""
        return replace(self, places=self.names[number::of])

    def reading(self) -> dict[str, object]:
        """Return, as plain data, the options that decide what is read."""
        columns = self.columns if self.columns is None or isinstance(self.columns, dict) else [*self.columns]
        said = [self.format, columns, str(self.encoding), self.skip_bad, self.target]
        return dict(zip(("format", "columns", "encoding", "skip_bad", "target"), said))

    def digests(self) -> list[str]:
        """Return the SHA-256 of each file; names do not matter."""
        return [_digest(file) for file in self.names]


def with_labels(
    sentences: Iterable[Sentence], target: str | int | None, skip_bad: bool, report: Report
) -> Iterator[Sentence]:
    """Yield the sentences in which every word has a label; refuse others, or count them in the report."""
    for sentence in sentences:
        column = sentence.format.target if target is None else target
        if column is None:
            raise DataError(
                f"{sentence.place}: words without labels; train on conllu, columns or word/tag lines"
            )
        error = missing(sentence, column)
        if error is None:
            yield sentence
        elif skip_bad:
            report.add(str(error))
        else:
            raise error


def _digest(file: str) -> str:
    found = hashlib.sha256()
    try:
        with Path(file).open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                found.update(chunk)
    except OSError as error:
        raise DataError(f"{file}: {reason(error)}; check the path") from error
    return found.hexdigest()
