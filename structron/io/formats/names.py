"""Names and the constants they stand for, one a line: ``words TAB constant``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from structron.errors import DataError
from structron.io.files import streams
from structron.io.files.encoding import Encoding
from structron.io.files.sentence import FIX
from structron.io.files.streams import Place
from structron.io.values.terms import Term, parse_term

Name = tuple[tuple[str, ...], Term]


def read_names(place: Place, *, encoding: str | Encoding = "utf-8") -> Iterator[Name]:
    """Yield the words of each name and the term it stands for; skip blank lines."""
    with streams.reading(place, encoding) as lines:
        for number, line in enumerate(lines, 1):
            if not line or line.isspace():
                continue
            where = f"{lines.file}:{number}"
            if number in lines.broken:
                raise DataError(f"{where}: {lines.broken[number]}")
            words, tab, constant = line.partition("\t")
            if not tab:
                raise DataError(f"{where}: no tab where words TAB constant is needed; {FIX}")
            if not words.split():
                raise DataError(f"{where}: a name without words; {FIX}")
            try:
                yield tuple(words.split()), parse_term(constant)
            except DataError as error:
                raise DataError(f"{where}: constant {error}") from None


def write_names(names: Iterable[Name], place: Place) -> None:
    """Write names as `read_names` reads them; a path gets its new content only when all went well."""
    with streams.writing(place) as put:
        for words, constant in names:
            if not words or any(word.split() != [word] for word in words):
                raise DataError(
                    f"the name {words!r} of {constant} cannot be written; give words without blanks"
                )
            put(f"{' '.join(words)}\t{constant}\n")
