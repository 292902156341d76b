"""Columns: one token a line, fields between tabs or blanks, a blank line after each sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice

from structron.errors import DataError, SettingError
from structron.io.files.format import Format
from structron.io.files.sentence import FIX, Sentence

Names = Mapping[str, int | str] | Sequence[str]

_DOCUMENT = "-DOCSTART-"


def layout(lines: Sequence[str], names: Names | None = None, usual: Format | None = None) -> Format:
    """Find the separator and the columns of a file by the majority of its first lines.

    Parameters
    ----------
    lines
        The first lines, blank ones among them.
    names
        Names of columns: ``{"form": 0, "label": 2}``, or all of them in order. Columns without a name are
        called by their index; a name beyond the last column is left out (input for prediction lacks the
        labels). Without `names` the first column is ``form`` and the last ``label``.
    usual
        Gives the separator where the lines do not show one: with a single column.
    """
    filled = [line for line in lines if line and not line.isspace() and not begins_document(line)]
    tabbed = sum("\t" in line for line in filled)
    # Words such as "#" begin rows as well: only in a file of tabs does a line without one stand apart.
    separator = "\t" if tabbed and tabbed >= sum("\t" not in x and x[0] != "#" for x in filled) else " "
    rows = [x for x in filled if separator == " " or "\t" in x or x[0] != "#"]
    width = Counter(len(split(line, separator)) for line in rows).most_common(1)[0][0] if rows else 1
    if width == 1:
        separator = usual.separator if usual else "\t"
    return Format("columns", separator, _names(width, names))


def _names(width: int, names: Names | None) -> tuple[str, ...]:
    called = [str(i) for i in range(width)]
    if names is None:
        called[0] = "form"
        if width > 1:
            called[-1] = "label"
        return tuple(called)
    pairs = names.items() if isinstance(names, Mapping) else [(name, i) for i, name in enumerate(names)]
    for name, index in pairs:
        if isinstance(index, str):
            raise SettingError(f"column {name}={index}: these columns have no header; write {name}=0")
        if -width <= index < width:
            called[index] = name
        elif name == "form":
            raise SettingError(
                f"form is said to be column {index} but there are {width}; count the columns from 0"
            )
    if "form" not in called:
        raise SettingError("no column is called form; say which holds the words, such as form=0")
    if len(set(called)) < width:
        raise SettingError(f"two columns have one name among {', '.join(called)}; give each its own")
    return tuple(called)


def begins_document(line: str) -> bool:
    """Return whether a line only says that a document begins (Tjong Kim Sang & De Meulder 2003).

    Examples
    --------
    >>> begins_document("-DOCSTART- -X- O O"), begins_document("-DOCSTART-s")
    (True, False)
    """
    return line.startswith(_DOCUMENT) and (len(line) == len(_DOCUMENT) or line[len(_DOCUMENT)] in " \t")


def split(line: str, separator: str) -> list[str]:
    """Split one line into fields; a run of blanks is one separator."""
    fields = line.split(separator)
    if separator == " " and "" in fields:
        return [field for field in fields if field]
    return fields


def parse(lines: list[str], file: str, line: int, format: Format) -> Sentence:
    """Parse these lines into a sentence; the first is number `line` of the file."""
    width = len(format.columns)
    separator = format.separator if width > 1 else " "
    start = 0
    if separator == "\t":
        while start < len(lines) and lines[start][0] == "#" and "\t" not in lines[start]:
            start += 1
    rows = [split(text, separator) for text in islice(lines, start, None)]
    if not rows:
        raise DataError(f"{file}:{line}: comments without words; {FIX}")
    form = format.columns.index("form")
    for number, row in enumerate(rows, line + start):
        if len(row) != width:
            found = f"{len(row)} column{'s' * (len(row) != 1)}"
            raise DataError(f"{file}:{number}: {found} where the file has {width}; {FIX}")
        if not row[form]:
            raise DataError(f"{file}:{number}: the word (column {form}) is empty; {FIX}")
        if separator == " " and "\t" in lines[number - line]:
            raise DataError(f"{file}:{number}: a tab where the file has blanks between columns; {FIX}")
    return Sentence(rows, format, comments=lines[:start], file=file, line=line, tokens=rows)


def render(sentence: Sentence) -> str:
    """Write a sentence with its blank line."""
    after = False  # whether the line before says that a document begins
    for comment in sentence.comments:
        begins, is_blank = begins_document(comment), after and not comment
        after = begins
        tabs = sentence.format.separator == "\t" and len(sentence.format.columns) > 1
        fits = begins or is_blank or (tabs and comment.startswith("#") and "\t" not in comment)
        if not fits or any(c in comment for c in "\n\r"):
            raise DataError(
                f"{sentence.place}: comment {comment!r} cannot stand in this file; begin it with #, "
                "without tabs, in a file of several columns between tabs"
            )
    if not sentence.rows and any(map(begins_document, sentence.comments)):  # a document without sentences
        return "\n".join([*sentence.comments, ""])
    return "\n".join([*sentence.comments, join(sentence), "", ""])


def join(sentence: Sentence) -> str:
    """Write the rows as lines; refuse a value that would not be read back unchanged."""
    separator = sentence.format.separator
    width, count = len(sentence.format.columns), len(sentence.rows)
    lines = [separator.join(row) for row in sentence.rows]
    text = "\n".join(lines)
    form = sentence.format.columns.index("form")
    # One lone column is read back by blanks, so it may hold neither blank nor tab.
    tabs, blanks = text.count("\t"), text.count(" ")
    if separator == "\t" and width > 1:
        fits = tabs == (width - 1) * count and all(row[form] for row in sentence.rows)
    else:
        fits = tabs == 0 and blanks == (width - 1) * count and not any("" in row for row in sentence.rows)
    if fits and text.count("\n") == count - 1 and "\r" not in text and not any(map(str.isspace, lines)):
        return text
    raise _misfit(sentence, " \t\r\n" if separator == " " or width == 1 else "\t\r\n")


def _misfit(sentence: Sentence, unfit: str) -> DataError:
    """Return an error for the first value that cannot be written."""
    if not sentence.rows:
        return DataError(f"{sentence.place}: a sentence without words cannot be written; leave it out")
    for row in sentence.rows:
        if len(row) != len(sentence.names):
            return DataError(
                f"{sentence.place}: a row of {len(row)} for {len(sentence.names)} columns; give each a value"
            )
        for name, value in zip(sentence.names, row):
            if any(c in value for c in unfit) or ((" " in unfit or name == "form") and not value):
                what = "is empty" if not value else "holds a blank, a tab or a line end"
                return DataError(
                    f"{sentence.place}: {name} {value!r} {what}, which this file cannot hold; "
                    "change the value or the format"
                )
    return DataError(f"{sentence.place}: a row of nothing but white space; change the word or the format")
