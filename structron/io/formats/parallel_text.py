"""Parallel text: files whose lines are translations of each other, words between blanks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from structron.errors import DataError
from structron.io.files import streams
from structron.io.files.encoding import Encoding
from structron.io.files.reading import Report
from structron.io.files.streams import Place

Text = list[list[str]]
Words = tuple[str, ...]
Reference = TypeVar("Reference", bound=Sequence[str])

# Other tools end a word here, too; a no-break space is part of a word.
_BLANKS = re.compile("[ \t\r\v\f]+")


def words_of(line: str) -> list[str]:
    """Split a line into words.

    Examples
    --------
    >>> words_of(" a  man\\tsleeps ")
    ['a', 'man', 'sleeps']
    """
    return [word for word in _BLANKS.split(line) if word]


@dataclass(frozen=True, slots=True)
class Segment:
    """A line of a file and the same line of the files beside it; its length is the number of words of the
    first.
    """

    sides: tuple[Words, ...]
    file: str = "(memory)"
    line: int = 0

    def __len__(self) -> int:
        return len(self.sides[0])

    @property
    def place(self) -> str:
        """Return ``file:line`` for messages."""
        return f"{self.file}:{self.line}"


def present(references: Sequence[Reference]) -> list[Reference]:
    """Return the references that exist: beside others, an empty one counts as missing.

    In files side by side, a sentence that has fewer references than others has empty lines.

    Examples
    --------
    >>> present(["a man", "", "one man"]), present(["", ""])
    (['a man', 'one man'], [''])
    """
    return [each for each in references if each] or list(references[:1])


def read_segments(
    place: Place,
    *,
    skip_bad: bool = False,
    report: Report | None = None,
    encoding: str | Encoding = "utf-8",
) -> Iterator[Segment]:
    """Read the lines of one file; an empty line has no words.

    With `skip_bad`, a line that is not text counts as empty, so that outputs stay in step; `report` counts
    it.
    """
    report = report or Report()
    for file, number, words, wrong in _lines(place, encoding):
        if wrong is not None and not skip_bad:
            raise DataError(wrong)
        if wrong is not None:
            report.add(wrong)
        yield Segment(((),) if wrong else (words,), file, number)


def read_parallel(
    places: Sequence[Place],
    *,
    skip_bad: bool = False,
    report: Report | None = None,
    encoding: str = "utf-8",
) -> list[Segment]:
    """Read several files side by side; refuse files of different lengths.

    With `skip_bad`, a line that is not a text in one of them is left out of all and counted in `report`.
    """
    report = report or Report()
    read = [list(_lines(place, encoding)) for place in places]
    for place, lines in zip(places, read):
        if len(lines) != len(read[0]):
            # A file in another encoding has other line ends, too.
            if wrong := next((each[3] for each in (*read[0], *lines) if each[3] is not None), None):
                raise DataError(wrong)
            raise DataError(
                f"{streams.name_of(places[0])}: it has {len(read[0]):,} lines and "
                f"{streams.name_of(place)} has {len(lines):,}; "
                "give files that are translations of each other line by line"
            )
    found = []
    for sides in zip(*read):
        wrong = next((each[3] for each in sides if each[3] is not None), None)
        if wrong is None:
            found.append(Segment(tuple(words for _, _, words, _ in sides), *sides[0][:2]))
        elif skip_bad:
            report.add(wrong)
        else:
            raise DataError(wrong)
    return found


def _lines(place: Place, encoding: str | Encoding) -> Iterator[tuple[str, int, Words, str | None]]:
    """Yield file, number and words of each line, and an error message if something is wrong."""
    with streams.reading(place, encoding) as lines:
        for number, line in enumerate(lines, 1):
            where = f"{lines.file}:{number}"
            wrong = None
            if number in lines.broken:
                wrong = f"{where}: {lines.broken[number]}"
            elif "\0" in line:
                wrong = f"{where}: there is a NUL character, which is not text; fix it, or pass --skip-bad"
            yield lines.file, number, tuple(words_of(line)), wrong


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
