"""``structron predict``: the same format out as in."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from structron.cli import face, streams
from structron.cli.counting import counted
from structron.errors import DataError

if TYPE_CHECKING:
    from structron.data import Names

Put = Callable[[list[Any]], None]


@click.command(short_help="Predict for a file or a pipe; the same format comes out.")
@click.argument("model", type=click.Path())
@click.argument("input_place", metavar="[INPUT|-]", default="-")
@click.option(
    "-o", "--output", default="-", help="File to write, whole or not at all; otherwise standard output."
)
@streams.format_option
@streams.columns_option
@click.option(
    "--kbest", type=click.IntRange(min=1), metavar="K", help="The K best of each sentence, with scores."
)
@streams.search_option
@streams.threads_option
@streams.skip_option
def predict(
    model: str,
    input_place: str,
    output: str,
    format_name: str | None,
    columns: Names | None,
    kbest: int | None,
    search: str | None,
    threads: int,
    skip_bad: bool,
) -> None:
    """Predict with MODEL for what is in INPUT (standard input by default).

    What goes out looks like what came in: comments and multiword tokens stay, plain words become word/tag.
    In a pipe every sentence is answered as soon as it is there.
    """
    from structron.data import Report

    task, estimator = face.load(model, search)
    estimator.threads = threads
    report = Report()
    pending: list[Any] = []
    counts = [0, 0]
    began = time.perf_counter()
    with streams.opened(input_place) as (source, stream), _writing(task, output) as put:

        def answer() -> None:
            if pending:
                put(list(task.predicted(estimator, pending, kbest)))
                counts[0] += len(pending)
                counts[1] += sum(map(len, pending))
                pending.clear()

        # Before the source waits for more, all it has given is answered: batches are as large as can be
        # without letting anybody wait.
        source.before_wait = answer
        reading = face.Reading(format_name, columns, skip_bad)
        for item in task.read(estimator, stream, reading, report):
            pending.append(item)
        answer()
    if said := streams.told(report, source.name):
        click.echo(said, err=True)
    if output != "-":
        speed = counts[1] / max(time.perf_counter() - began, 1e-9)
        click.echo(
            f"predicted {counted(counts[0], task.items)}, {counted(counts[1], task.parts)} "
            f"({speed:,.0f} a second): {output}",
            err=True,
        )


@contextlib.contextmanager
def _writing(task: face.Face, output: str) -> Iterator[Put]:
    """A function that writes items; what goes wrong there is never taken for a fault of reading."""
    from structron.data.files import writing

    @contextlib.contextmanager
    def blame() -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            raise streams.ReaderGone from None
        except OSError as error:
            name = "stdout" if output == "-" else output
            raise DataError(
                f"{name}: cannot be written, {(error.strerror or str(error)).lower()}; check it"
            ) from None

    if output == "-":
        stdout = sys.stdout.buffer

        def put_now(items: list[Any]) -> None:
            with blame():
                task.write(items, stdout)
                stdout.flush()

        yield put_now
        return
    with writing(output) as text:

        def put(items: list[Any]) -> None:
            with blame():
                task.write(items, _Text(text))

        yield put


class _Text:
    """An open file, as far as writing needs one."""

    encoding = "utf-8"

    def __init__(self, put: Callable[[str], object]) -> None:
        self.write = put
