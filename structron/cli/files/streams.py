"""Files and pipes, opened once, and the options that say how they are read."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from structron.cli.terminal.counting import noun
from structron.errors import DataError, SettingError

if TYPE_CHECKING:
    from structron.io import Names, Report

    Stream = io.BufferedReader[Any]
    Choice = click.Choice[str]
else:
    Choice = click.Choice  # which takes no type before click 8.2

FORMATS = (
    "conllu", "columns", "slash", "text", "tsv", "counted", "cmudict", "csv", "jsonl", "svmlight"
)  # fmt: skip
CHUNK = 1 << 16


class ReaderGone(Exception):
    """Raised when the reader of our output has closed it."""


def _column_names(ctx: click.Context, param: click.Parameter, value: str | None) -> Names | None:
    """Parse ``form=0,pos=1,label=2``, or all names in order: ``form,pos,label``; of a header,
    ``text=subject``."""
    if value is None:
        return None
    parts = [part.strip() for part in value.split(",")]
    if not any("=" in part for part in parts):
        return parts
    names: dict[str, int | str] = {}
    for part in parts:
        name, _, index = part.partition("=")
        is_number = index.removeprefix("-").isdecimal()
        # Sentences have no header: only the columns of documents have names of their own.
        if not name or not (is_number or (index and name in ("text", "label"))):
            raise click.BadParameter(f"cannot read {part!r}; write it like form=0,pos=1,label=2", ctx, param)
        names[name] = int(index) if is_number else index
    return names


FORMAT = "Format of the data; otherwise inferred from its name and first lines."


def check_format(formats: Collection[str], name: str | None) -> None:
    """Refuse a format that a task cannot be learned from."""
    if name is not None and name not in formats:
        raise SettingError(f"unknown format {name!r}; choose one of {', '.join(formats)}")


class Formats(Choice):
    """The formats of a task; one of another task is refused as any wrong choice of a task is."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return a format that is one of them."""
        check_format(self.choices, value)
        return str(value)


def formats_option(formats: Sequence[str]) -> Callable[..., Any]:
    """Return the option that names one of the formats of a task."""
    return click.option("--format", "format_name", type=Formats(formats), help=FORMAT)


format_option = click.option("--format", "format_name", type=click.Choice(FORMATS), help=FORMAT)
encoding_option = click.option(
    "--encoding",
    default="utf-8",
    metavar="NAME",
    help="Encoding of input and output, such as latin-1  [utf-8]",
)
columns_option = click.option(
    "--columns",
    callback=_column_names,
    metavar="NAMES",
    help="Names of columns, such as form=0,pos=1,label=2; for documents text=subject,label=topic.",
)
skip_option = click.option("--skip-bad", is_flag=True, help="Skip sentences that have errors.")
search_option = click.option(
    "--search",
    metavar="SEARCH",
    help="exact, greedy, beam:8, beam:8+merge, beam:8+within=20, dp:8 (parsing), forest or forest:4 (parsing "
    "with system graph); default: the model's own.",
)

start_option = click.option(
    "--from",
    "start",
    type=click.Choice(["text", "words", "tags"]),
    help="Where a pipeline starts: raw text, or CoNLL-U with words, or with words and tags.",
)
executor_option = click.option(
    "--executor",
    metavar="MODULE:FUNCTION",
    help="For semantics: the function that answers a form; the module may be in the current folder.",
)


def _told(context: click.Context, option: click.Parameter, threads: int) -> int:
    """Tell if there are more threads than processors."""
    if threads > 1:
        from structron.engine.processors import useful_threads

        useful_threads(threads)
    return threads


threads_option = click.option(
    "--threads",
    type=click.IntRange(min=1, max=1024),
    default=1,
    callback=_told,
    metavar="N",
    help="Number of threads; the result does not depend on it  [1]",
)


class Source(io.FileIO):
    """A file or standard input that calls back before it waits for more."""

    def __init__(self, place: str) -> None:
        name = "stdin" if place == "-" else place
        try:
            super().__init__(0 if place == "-" else place, "rb", closefd=place != "-")
        except OSError as error:
            raise DataError(f"{name}: {(error.strerror or str(error)).lower()}; check the path") from error
        self.name = name
        self.before_wait: Callable[[], None] = lambda: None
        self.after_read: Callable[[int], None] = lambda count: None

    def readinto(self, buffer: Any) -> int:
        """Read some bytes, after all that was read before has been dealt with."""
        self.before_wait()
        try:
            count = super().readinto(buffer)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise DataError(f"{self.name}: {reason}; check the path") from error
        self.after_read(count)
        return count


@contextlib.contextmanager
def opened(place: str) -> Iterator[tuple[Source, Stream]]:
    """Open a file, or standard input for ``-``, with a buffer over it."""
    with Source(place) as source, io.BufferedReader(source, CHUNK) as stream:
        yield source, stream


class Given(io.RawIOBase):
    """A text from the command line, read like a file."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.name = "the text"
        self.before_wait: Callable[[], None] = lambda: None
        self.after_read: Callable[[int], None] = lambda count: None
        self._left = io.BytesIO(text.encode("utf-8", "surrogateescape"))

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes."""
        self.before_wait()
        return self._left.readinto(buffer)


@contextlib.contextmanager
def given(text: str) -> Iterator[tuple[Given, Stream]]:
    """Open a text from the command line like a file."""
    with Given(text) as source, io.BufferedReader(source, CHUNK) as stream:
        yield source, stream


def left_out(report: Report, file: str) -> str | None:
    """Say in one line what --skip-bad left out."""
    if not report.bad:
        return None
    sentences = noun(report.bad, "sentences")
    return f"{file}: left out {report.bad:,} bad {sentences}; the first: {report.messages[0]}"
