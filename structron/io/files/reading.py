"""Reading sentences in every format, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from structron.errors import DataError, SettingError
from structron.io.files import detection, streams
from structron.io.files.encoding import Encoding
from structron.io.files.format import Format
from structron.io.files.sentence import Sentence, missing
from structron.io.files.streams import Lines, Place
from structron.io.formats import columns as column_files
from structron.io.formats import conllu, slash
from structron.io.formats.columns import Names

_Parse = Callable[[list[str], str, int, Format], Sentence]
_PARSE: dict[str, _Parse] = {
    "conllu": conllu.parse,
    "columns": column_files.parse,
    "slash": slash.parse,
    "text": slash.parse_text,
}


@dataclass
class Report:
    """The sentences left out of a file: how many, and the first few messages."""

    bad: int = 0
    messages: list[str] = field(default_factory=list)
    keep: int = 5

    def add(self, message: str) -> None:
        """Count one sentence that was left out."""
        self.bad += 1
        if len(self.messages) < self.keep:
            self.messages.append(message)


def read(
    source: Place,
    *,
    format: str | Format | None = None,
    columns: Names | None = None,
    target: str | int | None = None,
    skip_bad: bool = False,
    report: Report | None = None,
    encoding: str | Encoding = "utf-8",
    blanks: bool = False,
) -> Iterator[Sentence]:
    """Read the sentences of a file one by one.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, or an open file (text or binary); plain or compressed,
        which is detected.
    format
        ``conllu``, ``columns``, ``slash`` or ``text``; without it the name and the first lines decide, or an
        error asks for it.
    columns
        For ``columns``: their names, ``{"form": 0, "pos": 1, "label": 2}`` or all names in order.
        Without it the first is ``form``, the last ``label``, and the index names the others.
    target
        A column in which every word must have a value, as in training data.
    skip_bad
        Skip sentences with errors and count them in `report`; otherwise the first
        error is raised as DataError.
    report
        Receives the count and the first messages.
    encoding
        The encoding, ``utf-8`` or another name; an `Encoding` also records line ends and a byte order
        mark, so that `write` can give them back.
    blanks
        Whether a blank line is a sentence without words where each line is a sentence (``slash``, ``text``),
        so that output lines match input lines. Otherwise it is skipped.

    A line ``-DOCSTART-`` (CoNLL-2003) is no sentence: it is a comment of the one that follows it.
    """
    if isinstance(format, str):
        format = Format(format)
    elif format is not None and format.name == "columns" and columns is None:
        columns = format.columns
    if columns is not None and format is not None and format.name != "columns":
        raise SettingError(f"format {format.name} has its own columns; name columns only with format columns")
    return _read(source, format, columns, target, report or Report(), skip_bad, Encoding.of(encoding), blanks)


def _read(
    source: Place,
    wanted: Format | None,
    columns: Names | None,
    target: str | int | None,
    report: Report,
    skip_bad: bool,
    encoding: Encoding,
    blanks: bool,
) -> Iterator[Sentence]:
    with streams.reading(source, encoding) as lines:
        format = _layout(lines, wanted, columns)
        if format is None:
            return
        if format.name == "slash" and target is not None:
            format = slash.TAGGED  # so that a first line without tags is bad, not the file
        if target is not None and format.find(target) is None:
            raise DataError(
                f"{lines.file}:1: no column {target!r} among {', '.join(format.columns)}; "
                "choose another target, or name the columns with --columns"
            )
        parse = _PARSE[format.name]
        file, broken = lines.file, lines.broken
        one_line = format.name in ("slash", "text")
        begun: list[str] = []  # lines at which documents begin, and the blank lines after these
        for first, group in _groups(lines, one_line, blanks and one_line):
            if not group:
                yield Sentence([], format, file=file, line=first)
                continue
            if format.name == "columns" and column_files.begins_document(group[0]):
                begun += [group[0]] if len(group) > 1 else [group[0], ""]
                first, group = first + 1, group[1:]
                if not group:
                    continue
            try:
                if broken:
                    _check_bytes(lines, first, len(group))
                sentence = parse(group, file, first, format)
                sentence.comments, sentence.line = [*begun, *sentence.comments], first - len(begun)
                if target is not None and (error := missing(sentence, target)):
                    raise error
            except DataError as error:
                if not skip_bad:
                    raise
                report.add(str(error))
                continue
            begun = []
            yield sentence
        if begun and blanks:
            yield Sentence([], format, comments=begun, file=file, line=first - len(begun))


def _layout(lines: Lines, wanted: Format | None, columns: Names | None) -> Format | None:
    """Return the format of the file, None if it is empty; look ahead no further than necessary."""
    name = wanted.name if wanted else detection.by_name(lines.file)
    if name is None:
        name = detection.by_lines(lines.file, lines.peek(detection.LOOK))
        if name is not None and name != "columns" and columns is not None:
            raise SettingError(
                f"{lines.file} is read as {name}, whose columns have names; pass --format columns"
            )
    if name == "columns":
        ahead = lines.peek(
            detection.LOOK, enough=lambda ahead: wanted is not None and _ends(ahead) is not None
        )
        if wanted:
            # The first sentence decides: the other end of a pipe may wait for its result.
            ahead = ahead[: _ends(ahead)]
        try:
            return column_files.layout(ahead, columns, wanted)
        except SettingError as error:
            raise SettingError(f"{lines.file}: {error}") from None
    if name == "slash":
        return slash.layout(lines.peek(detection.LOOK, enough=lambda ahead: any(x.strip() for x in ahead)))
    return Format(name) if name else None


def _ends(ahead: list[str]) -> int | None:
    """Return where the first sentence ends, if it does; the beginning of a document is none."""
    begun = False
    for i, line in enumerate(ahead):
        if line and not line.isspace():
            begun = begun or not column_files.begins_document(line)
        elif begun:
            return i
    return None


def _groups(lines: Lines, one_line: bool, blanks: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of each sentence with the number of its first; white space alone makes a blank line.

    With `blanks` a blank line is a sentence of no lines.
    """
    group: list[str] = []
    number = 0
    for number, line in enumerate(lines, 1):
        if line and not line.isspace():
            group.append(line)
            if not one_line:
                continue
        elif blanks:
            yield number, []
        if group:
            yield number - len(group) + one_line, group
            group = []
    if group:
        yield number - len(group) + 1, group


def _check_bytes(lines: Lines, first: int, count: int) -> None:
    for number in range(first, first + count):
        if number in lines.broken:
            raise DataError(f"{lines.file}:{number}: {lines.broken[number]}")
