"""Labelled texts and vectors, one a line; read one at a time, and written back with other labels.

tsv
    ``label TAB text``; where many labels may be right, these stand between commas. If the first line names
    its columns, ``label`` and ``text`` among them, it is a table as in csv.
csv
    Fields between commas (or semicolons, tabs, bars), quoted where needed; the first line names them,
    ``label`` and ``text`` among them, or others that are said to be these.
jsonl
    An object a line: ``{"label": "spam", "text": "..."}``, or ``labels`` with a list.
svmlight
    ``label 3:0.5 17:1``: numbers by their columns, a comment after ``#``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from structron.errors import DataError, SettingError
from structron.io.files import detection, streams
from structron.io.files.encoding import Encoding
from structron.io.files.line_parsing import parse_lines
from structron.io.files.reading import Report
from structron.io.files.sentence import FIX
from structron.io.files.streams import Lines, Place, plain_name
from structron.io.formats import tables
from structron.io.formats.columns import Names
from structron.io.formats.tables import Field, Table

LOOK = 50


class Origin(Protocol):
    """The line or row that a document came from, to be written back with other labels."""

    def answered(self, labels: Sequence[str], many: bool, confidence: str | None) -> str:
        """Return the lines with these labels."""
        ...


@dataclass(frozen=True, slots=True)
class Document:
    """A text, or numbers by name, with its labels and its place; `labels` is None if none are given."""

    content: str | dict[str, float]
    labels: tuple[str, ...] | None
    file: str = "(memory)"
    line: int = 0
    origin: Origin | None = field(default=None, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.content)

    @property
    def place(self) -> str:
        """Return ``file:line`` for messages."""
        return f"{self.file}:{self.line}"

    def answered(self, labels: Sequence[str], many: bool, confidence: str | None = None) -> str:
        """Return it with these labels as it is written to a file, in the format it came in."""
        if self.origin is not None:
            return self.origin.answered(labels, many, confidence)
        text = self.shown() if confidence is None else f"{self.shown()}\t{confidence}"
        return f"{','.join(labels)}\t{text}\n"

    def shown(self) -> str:
        """Return its content on one line, as it can be read again."""
        if isinstance(self.content, str):
            return " ".join(self.content.splitlines())
        return " ".join(f"{name}:{value:g}" for name, value in self.content.items())


class _Found(NamedTuple):
    """The contents of a line."""

    content: str | dict[str, float]
    labels: tuple[str, ...] | None
    origin: Origin | None = None


def read_documents(
    place: Place,
    *,
    format: str | None = None,
    columns: Names | None = None,
    many: bool = False,
    bare: bool = False,
    skip_bad: bool = False,
    report: Report | None = None,
    encoding: str | Encoding = "utf-8",
    blanks: bool = False,
) -> Iterator[Document]:
    """Read the documents of a file, line by line.

    Parameters
    ----------
    place
        A path, ``-`` for standard input, or an open file; plain or compressed, which is detected.
    format
        ``tsv``, ``csv``, ``jsonl`` or ``svmlight``; without it the name decides, or the first line.
    columns
        Which columns of a table, or members of an object, hold text and label: ``{"text": "subject",
        "label": "topic"}`` by name. By number, ``{"text": 1, "label": 0}``, or as all names in order, those
        of a table without a header.
    many
        Whether labels between commas are several.
    bare
        Whether labels may be missing, as in what is to be predicted: a line without a tab is a text then.
        The origin of each document is stored, to be written back.
    skip_bad
        Skip lines with errors and count them in `report`; otherwise the first one
        raises DataError.
    report
        Receives the count and the first messages.
    encoding
        The encoding, see `structron.io.read`.
    blanks
        Whether a blank line is an empty text, so that what goes out lines up with what came in.
    """
    if format is not None and format not in FORMATS:
        raise SettingError(f"there is no format {format!r} of documents; choose {', '.join(FORMATS)}")
    reader = _Reader(columns, many, bare, skip_bad, report or Report(), blanks)
    return reader.read(place, format, encoding)


@dataclass(frozen=True)
class _Reader:
    """The options of reading."""

    columns: Names | None
    many: bool
    bare: bool
    skip_bad: bool
    report: Report
    blanks: bool

    def read(self, place: Place, format: str | None, encoding: str | Encoding) -> Iterator[Document]:
        with streams.reading(place, encoding) as lines:
            ahead = lines.peek(LOOK, enough=lambda ahead: any(line.strip() for line in ahead))
            name = format or _told(lines.file, ahead)
            if self.columns is not None and name == "svmlight":
                raise SettingError("svmlight numbers its columns itself; leave --columns out")
            if self.columns is not None and any('"' in line for line in ahead):
                # The first record may be of several lines.
                ahead = lines.peek(LOOK, enough=lambda ahead: "".join(ahead).count('"') % 2 == 0)
            table = self._table(name, ahead, lines.file)
            found = self._by_line(lines, name) if table is None else self._by_row(lines, table)
            for (content, labels, origin), number in found:
                yield Document(content, labels, lines.file, number, origin if self.bare else None)

    def _table(self, format: str, ahead: list[str], file: str) -> Table | None:
        """Return the layout of rows, or None if a line is an example by itself."""
        if format not in ("csv", "tsv"):
            return None
        number, first = next(((i, x) for i, x in enumerate(ahead, 1) if x.strip()), (1, ""))
        separators = tables.SEPARATORS if format == "csv" else ("\t",)
        if format == "tsv" and self.columns is None and "\t" not in first:
            return None
        # A text may be the word "text": only a line that names both columns is a header.
        bare = self.bare and (format == "csv" or self.columns is not None)
        table = tables.table_of(ahead[number - 1 :], separators, self.columns, f"{file}:{number}", bare)
        if table is not None or not first or (format == "tsv" and self.columns is None):
            return table
        if isinstance(self.columns, Mapping):
            said = tables.absent(ahead[number - 1 :], separators, self.columns, bare)
            raise DataError(f"{file}:{number}: {said}")
        raise DataError(
            f"{file}:{number}: the first line names no columns label and text; write label,text, or say "
            "which they are with --columns text=NAME,label=NAME"
        )

    def _by_line(self, lines: Lines, format: str) -> Iterator[tuple[_Found, int]]:
        parse = FORMATS[format](self.bare, _keys(self.columns))

        def labelled(line: str, where: str) -> _Found | None:
            found = parse(line, where)
            return None if found is None else self._checked(found, where)

        blank = None
        if self.blanks:
            empty: str | dict[str, float] = {} if format == "svmlight" else ""
            blank = _Found(empty, None, None if format == "tsv" else _Blank())
        return parse_lines(lines, labelled, skip_bad=self.skip_bad, report=self.report, blank=blank)

    def _by_row(self, lines: Lines, table: Table) -> Iterator[tuple[_Found, int]]:
        is_first = True
        found = tables.rows(lines, table, skip_bad=self.skip_bad, report=self.report, blanks=self.blanks)
        for number, fields in found:
            if not fields:
                yield _Found("", None, _Blank()), number
                continue
            labels = None if table.label is None else (fields[table.label].value,)
            row = _Found(fields[table.text].value, labels, _Row(table, fields, is_first))
            try:
                yield self._checked(row, f"{lines.file}:{number}"), number
            except DataError as error:
                if not self.skip_bad:
                    raise
                self.report.add(str(error))
                continue
            is_first = False

    def _checked(self, found: _Found, where: str) -> _Found:
        """Return labels as they count: several between commas, and an empty one as none."""
        labels = found.labels
        if labels is not None and len(labels) == 1:
            if self.many:
                labels = tuple(part for part in map(str.strip, labels[0].split(",")) if part)
            else:
                labels = (labels[0].strip(),) if labels[0].strip() else None
        if labels is None and not self.bare:
            raise DataError(f"{where}: there is no label; {FIX}")
        return found._replace(labels=labels)


def _told(file: str, lines: list[str]) -> str:
    """Detect the format, by name or first lines."""
    filled = [line for line in lines if line and not line.isspace()]
    if filled:
        detection.check_text(file, filled)
    name = plain_name(file)
    for ending, format in ENDINGS.items():
        if name.endswith(ending):
            return format
    if filled and filled[0].lstrip().startswith("{"):
        return "jsonl"
    return "tsv"


def _keys(columns: Names | None) -> tuple[str, str]:
    """Return the names of the members that hold text and label."""
    if columns is None:
        return "text", "label"
    if not isinstance(columns, Mapping) or not set(columns) <= {"text", "label"}:
        raise SettingError("members of an object have names; write --columns text=NAME,label=NAME")
    return str(columns.get("text", "text")), str(columns.get("label", "label"))


@dataclass(frozen=True)
class _Blank:
    """A blank line."""

    def answered(self, labels: Sequence[str], many: bool, confidence: str | None) -> str:
        return "\n"


@dataclass(frozen=True)
class _Row:
    """A row of a table; the first of a file carries the header."""

    table: Table
    fields: list[Field]
    is_first: bool

    def answered(self, labels: Sequence[str], many: bool, confidence: str | None) -> str:
        return self.table.answered(self.fields, ",".join(labels), confidence, self.is_first)


@dataclass(frozen=True)
class _Object:
    """A JSON object; `line` keeps how it was written."""

    members: dict[str, Any]
    key: str
    line: str

    def answered(self, labels: Sequence[str], many: bool, confidence: str | None) -> str:
        before = self.members.get(self.key)
        found: Any = list(labels) if many or isinstance(before, list) else labels[0]
        if type(before) is int and not many and labels[0].lstrip("-").isdecimal():
            found = int(labels[0])
        key = "labels" if many and self.key == "label" else self.key
        members = self.members | {key: found}
        if confidence is not None:
            members["confidence"] = float(confidence)
        separators = (", ", ": ") if '": ' in self.line or len(self.members) == 0 else (",", ":")
        ascii_only = self.line.isascii() and "\\u" in self.line
        return json.dumps(members, ensure_ascii=ascii_only, separators=separators) + "\n"


@dataclass(frozen=True)
class _Vector:
    """A line of svmlight without its label."""

    rest: str

    def answered(self, labels: Sequence[str], many: bool, confidence: str | None) -> str:
        sure = "" if confidence is None else f" # confidence {confidence}"
        return f"{','.join(labels)} {self.rest}".rstrip() + f"{sure}\n"


def _tsv(bare: bool, keys: tuple[str, str]) -> Callable[[str, str], _Found | None]:
    def parse(line: str, where: str) -> _Found:
        label, tab, text = line.partition("\t")
        if not tab and bare:
            return _Found(line, None)
        if not tab:
            raise DataError(f"{where}: one column where label TAB text is needed; {FIX}")
        return _Found(text, (label,))

    return parse


def _jsonl(bare: bool, keys: tuple[str, str]) -> Callable[[str, str], _Found | None]:
    text, key = keys

    def parse(line: str, where: str) -> _Found:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{where}: not JSON ({error}); {FIX}") from None
        if not isinstance(found, dict) or not isinstance(found.get(text), str):
            raise DataError(f'{where}: no object with a "{text}"; {FIX}')
        name = "labels" if key == "label" and "labels" in found else key
        origin = _Object(found, name, line)
        labels = found.get(name)
        if name == "labels" or isinstance(labels, list):
            if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
                raise DataError(f'{where}: "{name}" is not a list of texts; {FIX}')
            return _Found(found[text], tuple(labels), origin)
        if labels is not None and not isinstance(labels, str | int):
            raise DataError(f'{where}: "{key}" is neither a text nor a whole number; {FIX}')
        return _Found(found[text], None if labels is None else (str(labels),), origin)

    return parse


def _svmlight(bare: bool, keys: tuple[str, str]) -> Callable[[str, str], _Found | None]:
    def parse(line: str, where: str) -> _Found | None:
        fields = line.partition("#")[0].split()
        if not fields:
            return None
        labels = None
        if ":" not in fields[0]:
            labels = (fields.pop(0),)
        values: dict[str, float] = {}
        for each in fields:
            column, _, number = each.partition(":")
            try:
                value = float(number)
            except ValueError:
                value = math.nan
            if not column or not math.isfinite(value) or column in values:
                raise DataError(f"{where}: {each!r} is not column:number, each column once; {FIX}")
            values[column] = value
        rest = line.strip() if labels is None else line.strip()[len(labels[0]) :].lstrip()
        return _Found(values, labels, _Vector(rest))

    return parse


# A table is read row by row, see `tables`; nothing but an empty file of that name is read line by line.
FORMATS = {"tsv": _tsv, "csv": _tsv, "jsonl": _jsonl, "svmlight": _svmlight}
ENDINGS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".svm": "svmlight", ".svmlight": "svmlight"}
