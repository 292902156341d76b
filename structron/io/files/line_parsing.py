"""Files with one item a line: parse each line, or report its error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from structron.errors import DataError
from structron.io.files.reading import Report
from structron.io.files.streams import Lines

Found = TypeVar("Found")


def parse_lines(
    lines: Lines,
    parse: Callable[[str, str], Found | None],
    *,
    skip_bad: bool,
    report: Report,
    blank: Found | None = None,
) -> Iterator[tuple[Found, int]]:
    """Yield the result of `parse` for each line with the number of the line; skip results that are None.

    Parameters
    ----------
    skip_bad
        Skip lines with errors and count them in `report`; otherwise the first one
        raises DataError.
    blank
        The result for a blank line; with None blank lines are skipped.
    """
    for number, line in enumerate(lines, 1):
        if not line or line.isspace():
            if blank is not None:
                yield blank, number
            continue
        where = f"{lines.file}:{number}"
        try:
            if number in lines.broken:
                raise DataError(f"{where}: {lines.broken[number]}")
            found = parse(line, where)
        except DataError as error:
            if not skip_bad:
                raise
            report.add(str(error))
            continue
        if found is not None:
            yield found, number
