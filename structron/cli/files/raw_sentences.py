"""Sentences of which the words alone are wanted, as lines with tabs between words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from structron.errors import DataError
from structron.io import Names, read
from structron.io.files.streams import reading


class Source(NamedTuple):
    """Files of sentences, and how they are read; CoNLL-U is recognised by its name."""

    places: Sequence[str]
    format: str | None = None
    columns: Names | None = None
    encoding: str = "utf-8"

    def lines(self) -> Iterator[str]:
        """Yield the sentences of all files, each as a line for `words_of`."""
        for place in self.places:
            format = self.format or ("conllu" if ".conllu" in place else "text")
            if format == "text" and self.columns is None:
                yield from self._plain(place)
                continue
            for sentence in read(place, format=format, columns=self.columns, encoding=self.encoding):
                yield "\t".join(sentence.column("form"))

    def _plain(self, place: str) -> Iterator[str]:
        """Yield the lines of plain text; `read` would make a sentence of each."""
        with reading(place, self.encoding) as lines:
            for number, line in enumerate(lines, 1):
                if not line or line.isspace():
                    continue
                if number in lines.broken:
                    raise DataError(f"{lines.file}:{number}: {lines.broken[number]}")
                yield line.replace(" ", "\t")


def words_of(line: str) -> list[str]:
    """Return the words of a line."""
    words = line.split("\t")
    return [word for word in words if word] if "" in words else words


def lower_words_of(line: str) -> list[str]:
    """Return the words of a line in lower case."""
    return [word.lower() for word in words_of(line)]
