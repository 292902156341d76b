"""Tables of labelled texts: fields between commas or other separators, quoted where needed, under a header.

What pandas and spreadsheets write: a quoted field may hold separators, doubled quotes and line ends
(RFC 4180).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from structron.errors import DataError, SettingError
from structron.io.files.reading import Report
from structron.io.files.sentence import FIX
from structron.io.files.streams import Lines
from structron.io.formats.columns import Names

SEPARATORS = (",", ";", "\t", "|")
ROLES = ("text", "label")


class Field(NamedTuple):
    """A value, and whether it was quoted."""

    value: str
    quoted: bool = False

    def written(self, separator: str) -> str:
        """Return the field as it stands in a file."""
        if self.quoted or any(c in self.value for c in (separator, '"', "\n", "\r")):
            return '"' + self.value.replace('"', '""') + '"'
        return self.value


@dataclass(frozen=True)
class Table:
    """The layout of the rows of a file.

    Attributes
    ----------
    separator
        The separator of fields.
    header
        The fields of the first row, if they are names.
    text, label
        The columns of text and label; None where there are no labels.
    label_name
        The name of the column of labels, even if it does not exist yet.
    """

    separator: str
    header: tuple[Field, ...] | None
    text: int
    label: int | None
    label_name: str

    def line(self, fields: Sequence[Field]) -> str:
        """Return a row as it stands in a file, with its line end."""
        return self.separator.join(field.written(self.separator) for field in fields) + "\n"

    def answered(self, fields: Sequence[Field], answer: str, confidence: str | None, header: bool) -> str:
        """Return a row with its predicted label in the column of labels, or in a new one at the end."""
        row, head = list(fields), list(self.header or ())
        if self.label is None:
            row.append(Field(answer))
            head.append(Field(self.label_name))
        else:
            row[self.label] = Field(answer, row[self.label].quoted)
        if confidence is not None:
            row.append(Field(confidence))
            head.append(Field("confidence"))
        return (self.line(head) if header and self.header is not None else "") + self.line(row)


def table_of(
    first: Sequence[str], separators: Sequence[str], names: Names | None, place: str, bare: bool
) -> Table | None:
    """Read the layout of rows from a file's first lines; None if they name no column of texts.

    Parameters
    ----------
    first
        The first record, of one line or several.
    names
        ``{"text": "subject", "label": "topic"}`` by header; or by number, or all names in order, of a file
        without a header.
    bare
        Whether labels may be missing.
    """
    by_name = _wanted(names, place)
    if by_name is None:
        return _by_number(first, separators, names, place, bare)
    text, label = by_name
    for separator in separators:
        fields = _first(first, separator)
        if isinstance(fields, DataError):
            continue
        called = [field.value.strip() for field in fields]
        if text not in called or (label not in called and not bare):
            continue
        if called.count(text) > 1 or called.count(label) > 1:
            raise DataError(f"{place}: two columns have one name; give each its own")
        where = called.index(label) if label in called else None
        return Table(separator, tuple(fields), called.index(text), where, label)
    return None


def absent(
    first: Sequence[str], separators: Sequence[str], names: Mapping[str, int | str], bare: bool
) -> str:
    """Return a message about a header without the columns that were asked for by name."""
    headers = [_first(first, separator) for separator in separators]
    read = [header for header in headers if not isinstance(header, DataError)]
    found = [field.value.strip() for field in max(read, key=len, default=[])]
    wanted = [str(names.get("text", "text")), *([] if bare else [str(names.get("label", "label"))])]
    lost = " and ".join(repr(name) for name in wanted if name not in found)
    return f"no column is called {lost}; the first line names {', '.join(found)}"


def _wanted(names: Names | None, place: str) -> tuple[str, str] | None:
    """Return the names of the columns of text and label, or None if they are numbered."""
    if names is None:
        return ROLES
    if not isinstance(names, Mapping):
        return None
    if strange := next((name for name in names if name not in ROLES), None):
        raise SettingError(f"documents have no column {strange}; name text and label, as in text=1,label=0")
    text, label = names.get("text", "text"), names.get("label", "label")
    if isinstance(text, str) and isinstance(label, str):
        return text, label
    if "text" not in names:
        raise SettingError("no column is called text; say which holds the texts, such as text=1,label=0")
    return None


def _by_number(
    first: Sequence[str], separators: Sequence[str], names: Names | None, place: str, bare: bool
) -> Table:
    pairs = names if isinstance(names, Mapping) else {name: i for i, name in enumerate(names or ())}
    text, label = pairs.get("text"), pairs.get("label")
    if not isinstance(text, int) or isinstance(label, str) or (label is None and not bare):
        raise SettingError(
            "--columns: text and label are not both by name or both by number; give text=NAME,label=NAME, or "
            "text=1,label=0"
        )
    widths = {separator: _width(first, separator) for separator in separators}
    separator = max(separators, key=lambda each: widths[each])
    width = widths[separator]
    if not -width <= text < width or (label is not None and not bare and not -width <= label < width):
        raise DataError(f"{place}: {width} columns, and --columns asks for another; count them from 0")
    missing = label is None or not -width <= label < width
    return Table(separator, None, text % width, None if missing or label is None else label % width, "label")


def _width(lines: Sequence[str], separator: str) -> int:
    """Return how many fields the first record has."""
    found = _first(lines, separator)
    return 0 if isinstance(found, DataError) else len(found)


def _first(lines: Sequence[str], separator: str) -> list[Field] | DataError:
    """Return the fields of the first record, or its error; none if there is no line."""
    return next(_records(iter(lines), separator), (0, []))[1]


def rows(
    lines: Lines, table: Table, *, skip_bad: bool, report: Report, blanks: bool
) -> Iterator[tuple[int, list[Field]]]:
    """Return the rows below the header with the numbers of their first lines; a blank line has no fields."""
    width, header = 0, table.header is not None
    for number, fields in _records(iter(lines), table.separator):
        try:
            if isinstance(fields, DataError):
                raise DataError(f"{lines.file}:{number}: {fields}")
            if not fields:
                if blanks and width:
                    yield number, fields
                continue
            count = 1 + sum(field.value.count("\n") for field in fields)
            for broken in range(number, number + count):
                if broken in lines.broken:
                    raise DataError(f"{lines.file}:{broken}: {lines.broken[broken]}")
            if not width:
                width = len(fields)
                if header:
                    continue
            if len(fields) != width:
                where = f"{lines.file}:{number}"
                raise DataError(f"{where}: {len(fields)} fields where {width} are expected; {FIX}")
        except DataError as error:
            if not skip_bad:
                raise
            report.add(str(error))
            continue
        yield number, fields


def _records(lines: Iterator[str], separator: str) -> Iterator[tuple[int, list[Field] | DataError]]:
    """Yield the fields of each record, or its error, with the number of its first line."""
    fields: list[Field] = []
    open_: list[str] | None = None  # the lines so far of a field between quotes
    first = number = 0
    for number, line in enumerate(lines, 1):
        if open_ is None:
            fields, first = [], number
            if not line or line.isspace():
                yield number, []
                continue
        at = 0
        while True:
            if open_ is not None or line.startswith('"', at):
                if open_ is None:
                    open_, at = [], at + 1
                end = _closing(line, at)
                open_.append(line[at:end] if end >= 0 else line[at:])
                if end < 0:
                    break
                fields.append(Field("\n".join(open_).replace('""', '"'), True))
                open_, at = None, end + 1
                if at < len(line) and line[at] != separator:
                    yield first, DataError(f"there is text after the closing quote of a field; {FIX}")
                    break
            else:
                end = line.find(separator, at)
                end = len(line) if end < 0 else end
                fields.append(Field(line[at:end]))
                at = end
            if at >= len(line):
                yield first, fields
                break
            at += 1
    if open_ is not None:
        yield first, DataError(f"a quote is opened but not closed; {FIX}")


def _closing(line: str, at: int) -> int:
    """Return where the quote stands that ends a field, or -1; doubled ones are part of it."""
    while True:
        at = line.find('"', at)
        if at < 0 or not line.startswith('"', at + 1):
            return at
        at += 2
