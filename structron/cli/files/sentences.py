"""Sentences of files, read as the model's training data were."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from structron.cli.files.streams import CHUNK
from structron.cli.task_cli import Reading
from structron.errors import DataError, SettingError, StructronError
from structron.io import Encoding, Format, Report, Sentence, read
from structron.io.files import detection
from structron.io.files.streams import MAGIC
from structron.io.formats.slash import tagged_share

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream
    from structron.fit.estimator import AnyEstimator

_PACKED = 1 << 20  # bzip2 gives nothing before the end of a block, which is up to 900,000 bytes


def own_format(estimator: AnyEstimator) -> Format | None:
    """Return the format an estimator was trained on; None if it learned from Python lists."""
    said = estimator.model_.about.get("format")
    try:
        return Format(said["name"], said["separator"], tuple(said["columns"])) if said else None
    except (KeyError, TypeError, StructronError):
        return None


def read_like(
    stream: Stream,
    reading: Reading,
    report: Report,
    own: Format | None,
    *,
    labels: Collection[str] = (),
    blanks: bool = False,
) -> Iterator[Sentence]:
    """Read the sentences of a stream, with columns named as in the data of format `own`."""
    name = reading.format or look(stream, own, reading.encoding, labels)
    format: str | Format = name
    if name == "columns" and reading.columns is None and own is not None and own.name == "columns":
        format = Format("columns", own.separator, own.columns)
    return read(
        stream,
        format=format,
        columns=reading.columns,
        skip_bad=reading.skip_bad,
        report=report,
        encoding=reading.encoding,
        blanks=blanks,
    )


def look(stream: Stream, own: Format | None, encoding: str | Encoding, labels: Collection[str] = ()) -> str:
    """Return the format by name or first lines; otherwise the model's own, or text."""
    file = str(stream.name)
    named = detection.by_name(file)
    if named is not None:
        return named
    # What a pipe holds now has to do: who is at its other end may wait for our answer.
    lines = _first_lines(_head(stream), Encoding.of(encoding).name)
    try:
        found = detection.by_lines(file, lines)
    except DataError:
        if any("\0" in line for line in lines):
            raise
        found = _own_or_text(file, lines, own, labels)
    return found or (own.name if own is not None else "text")


def _head(stream: Stream) -> bytes:
    """Return the first bytes without reading them; of a compressed file, what they say."""
    head = stream.peek(CHUNK)
    if not head.startswith(tuple(MAGIC.values())):
        return head
    from structron.io.files.compression import first_unpacked

    with contextlib.suppress(OSError):  # a pipe has no beginning to go back to
        head = os.pread(stream.fileno(), _PACKED, 0)
    return first_unpacked(head, CHUNK)


def _first_lines(head: bytes, encoding: str) -> list[str]:
    lines = head.decode(encoding, "replace").removeprefix("\ufeff").split("\n")
    # The last one is empty, or not all there.
    return [line.rstrip("\r") for line in (lines[:-1] or lines)[: detection.LOOK]]


def _own_or_text(file: str, lines: list[str], own: Format | None, labels: Collection[str]) -> str:
    """Take undecided lines for plain words, unless they look like rows of the training data."""
    filled = [line for line in lines if line and not line.isspace()]
    if own is None:
        return "text"
    if own.name == "slash":
        # Words may hold slashes; what stands behind them are tags if the model knows them.
        tags = [token.rpartition("/")[2] for line in filled for token in line.split() if "/" in token]
        known = sum(tag in labels for tag in tags) * 2 >= len(tags)
        return "slash" if known and tagged_share(filled) >= 0.5 else "text"
    if own.name == "text" or any("\t" in line for line in filled):
        return own.name
    rows = [line.split() for line in filled]
    if own.name != "columns" or max(map(len, rows), default=0) > len(own.columns):
        return "text"
    if own.separator != " ":
        return "columns" if all(len(row) == 1 for row in rows) else "text"
    return _rows_or_text(file, rows, own.columns, labels)


def _rows_or_text(file: str, rows: list[list[str]], columns: Sequence[str], labels: Collection[str]) -> str:
    """Tell rows between blanks from sentences, whose last words must not be taken for labels."""
    last = [row[-1] for row in rows if len(row) == len(columns)]
    if not labels or sum(each in labels for each in last) * 2 >= len(last):
        return "columns"
    if len(columns) == 2:  # the model reads words alone
        return "text"
    raise DataError(
        f"{file}: {len(columns)} words on a line may be a sentence, or the columns {' '.join(columns)} of "
        "one word; pass --format text or --format columns"
    )


def with_rank(sentence: Sentence, rank: int, score: float) -> Sentence:
    """Add rank and score to a sentence if its format has a place for them."""
    name, separator = sentence.format.name, sentence.format.separator
    if name == "columns" and separator == " ":
        raise SettingError(
            f"{sentence.place}: columns between blanks have no room for ranks and scores; "
            "use columns between tabs, conllu or slash"
        )
    notes = [str(rank), f"{score:.6g}"]
    if name != "slash":
        notes = [f"# rank = {notes[0]}", f"# score = {notes[1]}"]
    sentence.comments = [*sentence.comments, *notes]
    return sentence
