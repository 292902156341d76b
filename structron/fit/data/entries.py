"""Entries of a dictionary: words, phrases or tokens that prediction must treat as the dictionary says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from structron.errors import DataError

Labels = tuple[str, ...]


class Entries:
    """The entries of a dictionary; pass them to `predict` as `given`.

    Parameters
    ----------
    entries
        By word, or by words with single blanks between them, a label or several that it may have; for the
        tokens of a text no labels are needed, and a list of them is enough.

    Examples
    --------
    >>> entries = Entries({"New York": "LOC", "york": "LOC"})
    >>> list(entries.found(["in", "New", "York"]))
    [(1, 3, ('LOC',))]
    """

    def __init__(self, entries: Mapping[str, str | Iterable[str]] | Iterable[str]) -> None:
        if isinstance(entries, str | bytes):
            raise DataError("a dictionary is not one text; give a dict, or a list of tokens")
        pairs = entries.items() if isinstance(entries, Mapping) else ((each, ()) for each in entries)
        self.labels: dict[tuple[str, ...], Labels] = {}
        for phrase, labels in pairs:
            words = tuple(phrase.split()) if isinstance(phrase, str) else ()
            if not words:
                raise DataError(f"dictionary entry {phrase!r} has no word; give a text")
            self.labels[words] = (labels,) if isinstance(labels, str) else tuple(labels)
        if not self.labels:
            raise DataError("there are no entries in the dictionary; give at least one")
        self.longest = max(map(len, self.labels))

    @classmethod
    def read(cls, path: str | Path, encoding: str = "utf-8") -> Self:
        """Read a file: an entry a line, and after tabs its labels."""
        from structron.io.formats.clusters import read_entries

        return cls(read_entries(path, encoding))

    def found(self, words: Sequence[str]) -> Iterator[tuple[int, int, Labels]]:
        """Yield begin, end and labels of entries in a sentence: the leftmost, and of those the longest."""
        at = 0
        while at < len(words):
            for end in range(min(at + self.longest, len(words)), at, -1):
                labels = self.labels.get(tuple(words[at:end]))
                if labels is not None:
                    yield at, end, labels
                    at = end - 1
                    break
            at += 1
