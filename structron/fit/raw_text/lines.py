"""The lines of raw text, from files that are read as a stream."""

from __future__ import annotations

from collections.abc import Iterator

from structron.errors import DataError
from structron.io.files.streams import reading


def lines_of(file: str) -> Iterator[str]:
    """Yield the lines of a file; refuse it at the first that is not text."""
    with reading(file) as lines:
        for number, line in enumerate(lines, 1):
            if number in lines.broken:
                wrong = lines.broken[number].partition(";")[0]  # no option says how text is to be read
                raise DataError(f"{file}, line {number}: {wrong}; convert the text to UTF-8")
            yield line
