"""Labelled texts and vectors, one a line; read one at a time.

tsv
    ``label TAB text``; where many labels may be right, these stand between commas.
csv
    Fields between commas, quoted where needed; the first line names them, ``label`` and ``text`` among them.
jsonl
    An object a line: ``{"label": "spam", "text": "..."}``, or ``labels`` with a list.
svmlight
    ``label 3:0.5 17:1``: numbers by their columns, a comment after ``#``.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from structron.data import files, sniff
from structron.data.compression import plain_name
from structron.data.encoding import Encoding
from structron.data.files import Place
from structron.data.line_by_line import line_by_line
from structron.data.reading import Report
from structron.data.sentence import FIX
from structron.errors import DataError, SettingError

LOOK = 50


@dataclass(frozen=True, slots=True)
class Document:
    """A text, or numbers by name, with its labels and where it stands; `labels` is None if none are given."""

    content: str | dict[str, float]
    labels: tuple[str, ...] | None
    file: str = "(memory)"
    line: int = 0

    def __len__(self) -> int:
        return len(self.content)

    @property
    def place(self) -> str:
        """Where it stands, for messages."""
        return f"{self.file}:{self.line}"


_Found = tuple[str | dict[str, float], tuple[str, ...] | None]


def read_documents(
    place: Place,
    *,
    format: str | None = None,
    many: bool = False,
    bare: bool = False,
    skip_bad: bool = False,
    report: Report | None = None,
    encoding: str | Encoding = "utf-8",
    blanks: bool = False,
) -> Iterator[Document]:
    """The documents of a file, line by line as they are read.

    Parameters
    ----------
    place
        A path, ``-`` for standard input, or an open file; plain or compressed, which is seen.
    format
        ``tsv``, ``csv``, ``jsonl`` or ``svmlight``; without it the name decides, or the first line.
    many
        Whether labels between commas are several.
    bare
        Whether labels may be missing, as in what is to be predicted: a line without a tab is a text then.
    skip_bad
        Leave out lines that have something wrong and count them in `report`, where otherwise the first one
        raises DataError.
    report
        Gets the count and the first messages.
    encoding
        What the bytes mean, see `structron.data.read`.
    blanks
        Whether a blank line is an empty text, so that what goes out lines up with what came in.
    """
    if format is not None and format not in FORMATS:
        raise SettingError(f"there is no format {format!r} of documents; choose {', '.join(FORMATS)}")
    return _read(place, format, many, bare, skip_bad, report or Report(), encoding, blanks)


def _read(
    place: Place,
    format: str | None,
    many: bool,
    bare: bool,
    skip_bad: bool,
    report: Report,
    encoding: str | Encoding,
    blanks: bool,
) -> Iterator[Document]:
    with files.reading(place, encoding) as lines:
        ahead = lines.peek(LOOK, enough=lambda ahead: any(line.strip() for line in ahead))
        parse = FORMATS[format or _told(lines.file, ahead)](bare)

        def labelled(line: str, where: str) -> _Found | None:
            found = parse(line, where)
            if found is None:
                return None
            content, labels = found
            if labels is not None and many and len(labels) == 1:
                labels = tuple(label for label in (part.strip() for part in labels[0].split(",")) if label)
            if labels is None and not bare:
                raise DataError(f"{where}: there is no label; {FIX}")
            return content, labels

        blank: _Found | None = ("", None) if blanks else None
        found = line_by_line(lines, labelled, skip_bad=skip_bad, report=report, blank=blank)
        for (content, labels), number in found:
            yield Document(content, labels, lines.file, number)


def _told(file: str, lines: list[str]) -> str:
    """The format, by name or first lines."""
    filled = [line for line in lines if line and not line.isspace()]
    if filled:
        sniff.check_text(file, filled)
    name = plain_name(file)
    for ending, format in ENDINGS.items():
        if name.endswith(ending):
            return format
    if filled and filled[0].lstrip().startswith("{"):
        return "jsonl"
    return "tsv"


def _tsv(bare: bool) -> Callable[[str, str], _Found | None]:
    def parse(line: str, where: str) -> _Found:
        label, tab, text = line.partition("\t")
        if not tab and bare:
            return line, None
        if not tab:
            raise DataError(f"{where}: one column where label TAB text is needed; {FIX}")
        return text, (label.strip(),) if label.strip() or not bare else None

    return parse


def _csv(bare: bool) -> Callable[[str, str], _Found | None]:
    names: list[str] = []

    def parse(line: str, where: str) -> _Found | None:
        try:
            fields = next(csv.reader([line], strict=True))
        except (csv.Error, StopIteration) as error:
            raise DataError(f"{where}: not a line of CSV ({error}); {FIX}") from None
        if not names:
            names.extend(field.strip() for field in fields)
            if "text" not in names or ("label" not in names and not bare):
                raise DataError(f"{where}: the first line names no columns label and text; write label,text")
            return None
        if len(fields) != len(names):
            raise DataError(f"{where}: {len(fields)} fields where {len(names)} are named; {FIX}")
        row = dict(zip(names, fields))
        return row["text"], (row["label"],) if "label" in row else None

    return parse


def _jsonl(bare: bool) -> Callable[[str, str], _Found | None]:
    def parse(line: str, where: str) -> _Found:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{where}: not JSON ({error}); {FIX}") from None
        if not isinstance(found, dict) or not isinstance(found.get("text"), str):
            raise DataError(f'{where}: no object with a "text"; {FIX}')
        if "labels" in found:
            labels = found["labels"]
            if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
                raise DataError(f'{where}: "labels" is no list of texts; {FIX}')
            return found["text"], tuple(labels)
        label = found.get("label")
        if label is not None and not isinstance(label, str | int):
            raise DataError(f'{where}: "label" is neither a text nor a whole number; {FIX}')
        return found["text"], None if label is None else (str(label),)

    return parse


def _svmlight(bare: bool) -> Callable[[str, str], _Found | None]:
    def parse(line: str, where: str) -> _Found | None:
        fields = line.partition("#")[0].split()
        if not fields:
            return None
        labels = None
        if ":" not in fields[0]:
            labels = (fields.pop(0),)
        values: dict[str, float] = {}
        for field in fields:
            column, _, number = field.partition(":")
            try:
                value = float(number)
            except ValueError:
                value = math.nan
            if not column or not math.isfinite(value) or column in values:
                raise DataError(f"{where}: {field!r} is not column:number, each column once; {FIX}")
            values[column] = value
        return values, labels

    return parse


FORMATS = {"tsv": _tsv, "csv": _csv, "jsonl": _jsonl, "svmlight": _svmlight}
ENDINGS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".svm": "svmlight", ".svmlight": "svmlight"}
