"""``structron predict``: the same format out as in."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from structron.cli import inputs
from structron.errors import DataError, SettingError

if TYPE_CHECKING:
    from structron.data import Names, Sentence
    from structron.estimators import Tagger

Put = Callable[["list[Sentence]"], None]


@click.command(short_help="Tag a file or a pipe; the same format comes out.")
@click.argument("model", type=click.Path())
@click.argument("input_place", metavar="[INPUT|-]", default="-")
@click.option(
    "-o", "--output", default="-", help="File to write, whole or not at all; otherwise standard output."
)
@inputs.format_option
@inputs.columns_option
@click.option(
    "--kbest", type=click.IntRange(min=1), metavar="K", help="The K best of each sentence, with scores."
)
@inputs.search_option
@inputs.skip_option
def predict(
    model: str,
    input_place: str,
    output: str,
    format_name: str | None,
    columns: Names | None,
    kbest: int | None,
    search: str | None,
    skip_bad: bool,
) -> None:
    """Tag sentences of INPUT (standard input by default) with MODEL.

    What goes out looks like what came in: comments and multiword tokens stay, plain words become word/tag.
    In a pipe every sentence is answered as soon as it is there.
    """
    from structron.data import Report

    tagger = inputs.load_tagger(model, search)
    report = Report()
    pending: list[Sentence] = []
    counts = [0, 0]
    began = time.perf_counter()
    with inputs.opened(input_place) as (source, stream), _writing(output) as put:

        def answer() -> None:
            if pending:
                put(list(_tagged(tagger, pending, kbest)))
                counts[0] += len(pending)
                counts[1] += sum(map(len, pending))
                pending.clear()

        # Before the source waits for more, all it has given is answered: batches are as large as can be
        # without letting anybody wait.
        source.before_wait = answer
        for sentence in inputs.read_for(
            tagger, stream, format_name, columns, skip_bad=skip_bad, report=report
        ):
            pending.append(sentence)
        answer()
    if said := inputs.told(report, source.name):
        click.echo(said, err=True)
    if output != "-":
        speed = counts[1] / max(time.perf_counter() - began, 1e-9)
        click.echo(
            f"tagged {counts[0]:,} sentences, {counts[1]:,} tokens ({speed:,.0f} a second): {output}",
            err=True,
        )


def _tagged(tagger: Tagger, sentences: list[Sentence], kbest: int | None) -> Iterator[Sentence]:
    if kbest is None:
        for sentence, tags in zip(sentences, tagger.predict(sentences)):
            yield sentence.with_column(inputs.target_column(tagger, sentence), tags)
        return
    for sentence, found in zip(sentences, tagger.predict_kbest(sentences, kbest)):
        for rank, (tags, score) in enumerate(found, 1):
            one = sentence.with_column(inputs.target_column(tagger, sentence), tags)
            yield _with_rank(one, rank, score)


def _with_rank(sentence: Sentence, rank: int, score: float) -> Sentence:
    """The sentence with its rank and score where its format has room for them."""
    name, separator = sentence.format.name, sentence.format.separator
    if name == "columns" and separator == " ":
        raise SettingError(
            f"{sentence.place}: columns between blanks have no room for ranks and scores; "
            "use columns between tabs, conllu or slash"
        )
    told = [str(rank), f"{score:.6g}"]
    notes = told if name == "slash" else [f"# rank = {told[0]}", f"# score = {told[1]}"]
    sentence.comments = [*sentence.comments, *notes]
    return sentence


@contextlib.contextmanager
def _writing(output: str) -> Iterator[Put]:
    """A function that writes sentences; what goes wrong there is never taken for a fault of reading."""
    from structron.data import write
    from structron.data.files import writing

    @contextlib.contextmanager
    def blame() -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            raise inputs.ReaderGone from None
        except OSError as error:
            name = "stdout" if output == "-" else output
            raise DataError(
                f"{name}: cannot be written, {(error.strerror or str(error)).lower()}; check it"
            ) from None

    if output == "-":
        stdout = sys.stdout.buffer

        def put_now(sentences: list[Sentence]) -> None:
            with blame():
                write(sentences, stdout)
                stdout.flush()

        yield put_now
        return
    with writing(output) as text:

        def put(sentences: list[Sentence]) -> None:
            with blame():
                write(sentences, _Text(text))  # type: ignore[arg-type]

        yield put


class _Text:
    """An open file, as far as writing needs one."""

    encoding = "utf-8"

    def __init__(self, put: Callable[[str], object]) -> None:
        self.write = put
