"""Files and pipes as the commands take them: opened once, looked at, and read in the model's own terms."""

from __future__ import annotations

import contextlib
import io
import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from structron.errors import DataError, StructronError

if TYPE_CHECKING:
    from structron.data import Format, Names, Report, Sentence
    from structron.estimators import Tagger

    Stream = io.BufferedReader[Any]

FORMATS = ("conllu", "columns", "slash", "text")
CHUNK = 1 << 16


class ReaderGone(Exception):
    """Whoever read our output has closed it."""


def _column_names(ctx: click.Context, param: click.Parameter, value: str | None) -> Names | None:
    """``form=0,pos=1,label=2``, or all names in order: ``form,pos,label``."""
    if value is None:
        return None
    parts = [part.strip() for part in value.split(",")]
    if not any("=" in part for part in parts):
        return parts
    names: dict[str, int] = {}
    for part in parts:
        name, _, index = part.partition("=")
        if not name or not index.removeprefix("-").isdecimal():
            raise click.BadParameter(f"cannot read {part!r}; write it like form=0,pos=1,label=2", ctx, param)
        names[name] = int(index)
    return names


format_option = click.option(
    "--format",
    "format_name",
    type=click.Choice(FORMATS),
    help="Format of the data; otherwise its name and first lines tell.",
)
columns_option = click.option(
    "--columns",
    callback=_column_names,
    metavar="NAMES",
    help="Names of columns, such as form=0,pos=1,label=2.",
)
skip_option = click.option("--skip-bad", is_flag=True, help="Leave out sentences that have something wrong.")
search_option = click.option(
    "--search", metavar="SEARCH", help="exact, greedy, beam:8 or beam:8+merge; otherwise that of the model."
)


class Source(io.FileIO):
    """A file or standard input that tells when it is about to wait for more."""

    def __init__(self, place: str) -> None:
        name = "stdin" if place == "-" else place
        try:
            super().__init__(0 if place == "-" else place, "rb", closefd=place != "-")
        except OSError as error:
            raise DataError(f"{name}: {(error.strerror or str(error)).lower()}; check the path") from error
        self.name = name
        self.before_wait: Callable[[], None] = lambda: None

    def readinto(self, buffer: Any) -> int:
        """Read some bytes, after all that was read before has been dealt with."""
        self.before_wait()
        return super().readinto(buffer)


@contextlib.contextmanager
def opened(place: str) -> Iterator[tuple[Source, Stream]]:
    """A file, or standard input for ``-``, and a buffer over it."""
    with Source(place) as source, io.BufferedReader(source, CHUNK) as stream:
        yield source, stream


def load_tagger(path: str, search: str | None = None) -> Tagger:
    """A tagger from its file, with another search if one is named."""
    from structron.estimators import Tagger
    from structron.search import parse_search

    tagger = Tagger.load(path)
    if search is not None:
        tagger.model_.search = parse_search(search)
    own = own_format(tagger)
    if tagger.target is None and own is not None and own.name == "columns":
        # Input for prediction may lack the labels; its last column is then one to be read.
        tagger.target = own.target
    return tagger


def own_format(tagger: Tagger) -> Format | None:
    """The format a tagger was trained on; None if it learned from Python lists."""
    from structron.data import Format

    told = tagger.model_.about.get("format")
    try:
        return Format(told["name"], told["separator"], tuple(told["columns"])) if told else None
    except (KeyError, TypeError, StructronError):
        return None


def read_for(
    tagger: Tagger,
    stream: Stream,
    format_name: str | None,
    columns: Names | None,
    *,
    skip_bad: bool = False,
    report: Report | None = None,
) -> Iterator[Sentence]:
    """The sentences of a stream with columns named as in the model's training data."""
    from structron.data import Format, read
    from structron.estimators.inputs import shown_columns

    own = own_format(tagger)
    name = format_name or _look(stream, own)
    format: str | Format = name
    if name == "columns" and columns is None and own is not None and own.name == "columns":
        format = Format("columns", own.separator, own.columns)
    for sentence in read(stream, format=format, columns=columns, skip_bad=skip_bad, report=report):
        check_columns(tagger, sentence.place, len(shown_columns(sentence, tagger.target)))
        yield sentence


def target_column(tagger: Tagger, sentence: Sentence) -> str | int:
    """The column of a sentence that the tagger predicts, or the one to be added."""
    format, own = sentence.format, own_format(tagger)
    wanted = tagger.target
    if wanted is not None and (
        format.find(wanted) is not None or (own is not None and own.name == format.name == "columns")
    ):
        return wanted
    return format.target or ("label" if format.name == "columns" else "tag")


def check_columns(tagger: Tagger, place: str, shown: int) -> None:
    """Refuse words where the model also reads further columns, such as parts of speech."""
    needed = tagger.model_.task.columns
    if shown < needed:
        own = own_format(tagger)
        names = f" ({' '.join(own.columns)})" if own is not None else ""
        raise DataError(
            f"{place}: the model reads {needed} columns of each token but there are {shown}; "
            f"give it columns like those it was trained on{names}"
        )


def _look(stream: Stream, own: Format | None) -> str:
    """The format by name or first lines; where they do not tell, the model's own, or text."""
    from structron.data import sniff

    file = str(stream.name)
    named = sniff.by_name(file)
    if named is not None:
        return named
    # What a pipe holds now has to do: who is at its other end may wait for our answer.
    lines = _first_lines(stream.peek(CHUNK))
    try:
        found = sniff.by_lines(file, lines)
    except DataError:
        found = _own_or_text(lines, own)
    return found or (own.name if own is not None else "text")


def _first_lines(head: bytes) -> list[str]:
    from structron.data import sniff

    if head.startswith(b"\x1f\x8b"):
        with contextlib.suppress(zlib.error):  # told by the reader, with the file's name
            head = zlib.decompressobj(wbits=31).decompress(head, CHUNK)
    lines = head.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
    # The last one is empty, or not all there.
    return [line.rstrip("\r") for line in (lines[:-1] or lines)[: sniff.LOOK]]


def _own_or_text(lines: list[str], own: Format | None) -> str:
    """Undecided lines: plain words, unless they could be rows like those the model was trained on."""
    from structron.data.slash import tagged_share

    filled = [line for line in lines if line and not line.isspace()]
    if own is None or (own.name == "slash" and tagged_share(filled) < 0.5):
        return "text"
    if own.name in ("slash", "text") or any("\t" in line for line in filled):
        return own.name
    if own.name == "columns" and all(len(line.split()) <= len(own.columns) for line in filled):
        return "columns" if own.separator == " " or all(len(line.split()) == 1 for line in filled) else "text"
    return "text"


def told(report: Report, file: str) -> str | None:
    """What --skip-bad left out, in one line."""
    if not report.bad:
        return None
    sentences = "sentence" if report.bad == 1 else "sentences"
    return f"{file}: left out {report.bad:,} bad {sentences}; the first: {report.messages[0]}"
