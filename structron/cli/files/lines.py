"""Outputs that are lines of text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from structron.errors import DataError
from structron.io.files.encoding import unfit
from structron.io.files.streams import writing


def write_lines(lines: Iterable[str], file: Any) -> None:
    """Write lines one after the other; name a line that the file's encoding cannot express."""
    with writing(file) as put:
        for line in lines:
            try:
                put(line)
            except UnicodeEncodeError as error:
                raise DataError(f"{line.rstrip()}: {unfit(error)}") from None
