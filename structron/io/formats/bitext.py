"""Parallel text: two files whose lines are translations of each other, words between blanks."""

from __future__ import annotations

import re

from structron.errors import DataError
from structron.io.files import streams
from structron.io.files.encoding import Encoding
from structron.io.files.streams import Place

Text = list[list[str]]

# What other tools take for the end of a word; a no-break space is part of one.
_BLANKS = re.compile("[ \t\r\v\f]+")


def words_of(line: str) -> list[str]:
    """Split a line into words.

    Examples
    --------
    >>> words_of(" a  man\\tsleeps ")
    ['a', 'man', 'sleeps']
    """
    return [word for word in _BLANKS.split(line) if word]


def read_text(place: Place, encoding: str | Encoding = "utf-8") -> Text:
    """Read the words of each line of a file; an empty line has none."""
    with streams.reading(place, encoding) as lines:
        text = [words_of(line) for line in lines]
        for number, wrong in lines.broken.items():
            raise DataError(f"{lines.file}:{number}: {wrong.removesuffix(', or pass --skip-bad')}")
    return text


def read_bitext(source: Place, target: Place, encoding: str | Encoding = "utf-8") -> tuple[Text, Text]:
    """Read the words of both files, line by line."""
    sources, targets = read_text(source, encoding), read_text(target, encoding)
    names = streams.name_of(source), streams.name_of(target)
    if len(sources) != len(targets):
        raise DataError(
            f"{names[0]}: it has {len(sources):,} lines and {names[1]} has {len(targets):,}; "
            "give two files that are translations of each other line by line"
        )
    return sources, targets
