"""Parallel text as the commands name it: files side by side, or one to be translated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from structron.cli.task_cli import Reading
from structron.errors import DataError, SettingError
from structron.io import Report
from structron.io.files.encoding import Encoding
from structron.io.formats.parallel_text import Segment, read_parallel, read_segments

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream


def read_sides(places: tuple[str, ...], reading: Reading, report: Report) -> list[Segment]:
    """Return the lines of files side by side.

    Raises
    ------
    SettingError
        If standard input is named twice, or a format that is not of text.
    """
    check(reading)
    if places.count("-") > 1:
        raise SettingError("standard input can be read only once; name files for all but one")
    encoding = reading.encoding
    name = encoding.name if isinstance(encoding, Encoding) else encoding
    return read_parallel(places, skip_bad=reading.skip_bad, report=report, encoding=name)


def read_stream(stream: Stream, reading: Reading, report: Report) -> Iterator[Segment]:
    """Return the lines to be translated; blank ones too, so that what comes out stays in step."""
    check(reading)
    return read_segments(stream, skip_bad=reading.skip_bad, report=report, encoding=reading.encoding)


def check(reading: Reading) -> None:
    """Refuse what has no meaning for text."""
    if reading.columns is not None:
        raise SettingError("text has no columns to name; leave --columns out")
    if reading.format not in (None, "text"):
        raise SettingError(f"translations are text and not {reading.format}; leave --format out")


def line_of(places: tuple[str, ...], number: int, reading: Reading) -> Segment:
    """Return one line of files side by side, counted from 1."""
    segments = read_sides(places, reading, Report())
    if number > len(segments):
        raise DataError(
            f"{places[0]}: there is no line {number:,}, since it has {len(segments):,}; check the file"
        )
    return segments[number - 1]
