"""``structron predict``: predictions in the format of the input."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from structron.cli import task_cli
from structron.cli.command_list import HELP, LongHelp
from structron.cli.files import streams
from structron.cli.files.places import refuse_overlap
from structron.cli.files.text_arguments import takes_text
from structron.cli.task_cli import Reading
from structron.cli.terminal.counting import counted
from structron.cli.terminal.warnings import silently
from structron.errors import DataError, SettingError
from structron.progress import current_listener, progress_to

if TYPE_CHECKING:
    from structron.cli.task_cli import AnyTaskCLI
    from structron.fit.estimator import AnyEstimator
    from structron.io import Names

Put = Callable[[list[Any]], None]
Answers = Callable[[Sequence[Any]], Iterable[Any]]


@click.command(
    cls=LongHelp,
    basic=("output", "format_name", "kbest", "confidence", "threads", "skip_bad"),
    short_help=HELP["predict"],
)
@click.argument("model", type=click.Path())
@click.argument("inputs", metavar="[INPUT|-]...", nargs=-1)
@click.option(
    "-o",
    "--output",
    default="-",
    help="File to write, whole or not at all; or a folder (its name ends with /) for a file for each INPUT; "
    "otherwise standard output.",
)
@streams.format_option
@streams.columns_option
@streams.encoding_option
@click.option(
    "--kbest",
    type=click.IntRange(min=1),
    metavar="K",
    help="Write the K best outputs of each input, with scores.",
)
@click.option(
    "--given",
    multiple=True,
    metavar="COLUMN",
    help="Keep what stands in this column of INPUT and predict the rest; _ is not known. May be repeated.",
)
@click.option(
    "--dictionary",
    type=click.Path(),
    metavar="FILE",
    help="Entries that always win, one a line: a word or phrase, and after a tab its label or type of name; "
    "for segmentation tokens alone.",
)
@click.option(
    "--alignment",
    is_flag=True,
    help="Add a TAB and the links between words of input and output, such as 0-0 1-2.",
)
@click.option(
    "--confidence",
    is_flag=True,
    help="Add the probability that each word, and the whole, is right: in MISC, a column or a TAB field.",
)
@click.option(
    "--output-format",
    metavar="FORMAT",
    help="Format for raw text: conllu, text with a sentence a line; for a pipeline json, html, or names "
    "with offsets for prodigy, doccano or label-studio  [conllu]",
)
@click.option(
    "--stage",
    metavar="NAME",
    help="For a pipeline: the stage whose readings --kbest lists, such as upos; otherwise the last.",
)
@streams.executor_option
@streams.start_option
@streams.search_option
@streams.threads_option
@streams.skip_option
def predict(
    model: str,
    inputs: tuple[str, ...],
    output: str,
    format_name: str | None,
    columns: Names | None,
    encoding: str,
    kbest: int | None,
    given: tuple[str, ...],
    dictionary: str | None,
    alignment: bool,
    confidence: bool,
    output_format: str | None,
    stage: str | None,
    executor: str | None,
    start: str | None,
    search: str | None,
    threads: int,
    skip_bad: bool,
) -> int:
    """Predict outputs for INPUT, one file after the other; standard input by default.

    The output has the format of the input: comments, multiword tokens, blank lines, line ends, encoding and
    byte order mark stay as they are, and plain words become word/tag. In a pipe each sentence is answered as
    soon as it arrives. If one of several files has errors, it is named and skipped, and the exit code is 1.

    A pipeline reads raw text and writes CoNLL-U. INPUT may be a text itself, if no file has that name:
    predict en "Time flies."; predict en-g2p telescope.

    MODEL is a file, or the name of a model that comes with structron: en, en-g2p.
    """
    from structron.io import Encoding

    reading = Reading(format_name, columns, skip_bad, Encoding(encoding), start, blanks=True)
    places = inputs or ("-",)
    outputs = _outputs(places, output)
    written = tuple(outputs) if output != "-" else "-"
    refuse_overlap({"-o": written}, {"MODEL": model, "INPUT": places, "--dictionary": dictionary})
    task, estimator = _loaded(model, search, start, executor, threads, dictionary, given)
    answers = _answers(task, estimator, kbest, alignment, confidence, stage)
    predicted, opening = _in_format(task, answers, output_format)
    if output.endswith(os.sep):
        Path(output).mkdir(parents=True, exist_ok=True)
    done = _Done()
    with portion_told(places, output) as read, silently(), contextlib.ExitStack() as stdout:
        put = stdout.enter_context(_writing(task, "-", reading, opening)) if output == "-" else None
        for place, result in zip(places, outputs):
            own = reading if put is not None else replace(reading, encoding=Encoding(encoding))
            whole = _writing(task, result, own, opening) if put is None else contextlib.nullcontext(put)
            try:
                with whole as to:
                    _predict(task, estimator, place, to, own, predicted, done, read, given)
            except DataError as error:
                if len(places) == 1 or isinstance(error, Unwritable):
                    raise
                click.echo(f"structron: {error}", err=True)
                done.failed += 1
    done.report(task, estimator, output)
    return 1 if done.failed else 0


def _loaded(
    model: str,
    search: str | None,
    start: str | None,
    executor: str | None,
    threads: int,
    dictionary: str | None,
    given: tuple[str, ...],
) -> tuple[AnyTaskCLI, AnyEstimator]:
    """Return a model that is ready to predict."""
    task, estimator = task_cli.load(model, search)
    task_cli.check_start(task, start)
    task_cli.take_executor(task, estimator, executor)
    if dictionary is not None:
        from structron.cli.files.given_parts import take_dictionary

        take_dictionary(task, estimator, dictionary, given)
    estimator.threads = threads
    return task, estimator


def _answers(
    task: AnyTaskCLI,
    estimator: AnyEstimator,
    kbest: int | None,
    alignment: bool,
    confidence: bool,
    stage: str | None,
) -> Answers:
    """Return a function from items to the best output, the k best, or the best with links or confidence."""
    if stage is not None and not isinstance(task, task_cli.Staged):
        raise SettingError(f"--stage is for models with stages, not for {task.estimator.kind}; leave it out")
    if stage is not None and kbest is None:
        raise SettingError("--stage is for --kbest; say how many readings to list, or leave it out")
    if confidence:
        return _sure(task, estimator, _plain_answers(task, estimator, kbest, alignment), kbest)
    if kbest is not None and isinstance(task, task_cli.Staged):
        readings = task.readings  # where mypy still knows that it is there
        return lambda items: readings(estimator, items, kbest, stage)
    return _plain_answers(task, estimator, kbest, alignment)


def _plain_answers(task: AnyTaskCLI, estimator: AnyEstimator, kbest: int | None, alignment: bool) -> Answers:
    if not alignment:
        return lambda items: task.predicted(estimator, items, kbest)
    if not isinstance(task, task_cli.Linked):
        raise SettingError(f"--alignment is not for {task.estimator.kind}; leave it out")
    if kbest is not None:
        raise SettingError("--alignment is of the best output alone; leave it or --kbest out")
    linked = task.linked
    return lambda items: linked(estimator, items)


def _sure(task: AnyTaskCLI, estimator: AnyEstimator, answers: Answers, kbest: int | None) -> Answers:
    """Add to each answer how likely it is right."""
    from structron.cli.terminal.confidence import check_judging, with_confidence
    from structron.fit.confidence import Calibration

    check_judging(task, "--confidence")
    if kbest is not None:
        raise SettingError("--confidence is of the best output alone; leave it or --kbest out")
    if isinstance(task, task_cli.Staged):
        sure = task.sure
        return lambda items: sure(estimator, items)
    Calibration.of_model(estimator.model_.about)  # before anything is read
    return lambda items: with_confidence(answers(items), task.inputs(estimator, items), estimator)


def _in_format(task: AnyTaskCLI, answers: Answers, format: str | None) -> tuple[Answers, str]:
    """Return answers in another format, if the task has it, and what a file of it begins with."""
    if format is None:
        return answers, ""
    from structron.cli.files.output_formats import formatting

    shown = formatting(task, format)
    return lambda items: shown.formatted(answers(items), format), shown.opening(format)


def _outputs(places: Sequence[str], output: str) -> list[str]:
    """Return where the predictions for each input go."""
    if output != "-" and (output.endswith(os.sep) or Path(output).is_dir()):
        names = [Path(place).name for place in places]
        if "-" in places:
            raise SettingError(f"{output}: standard input has no name; name a file for -o")
        if twice := next((name for i, name in enumerate(names) if name in names[:i]), None):
            raise SettingError(f"{output}: two inputs are called {twice}; predict them one by one")
        return [str(Path(output) / name) for name in names]
    if len(places) > 1 and output != "-":
        raise SettingError(f"{output}: several inputs need a folder; write -o {output}/, or leave -o out")
    if places.count("-") > 1:
        raise SettingError("standard input can be read only once; name it once")
    return [output] * len(places)


class Unwritable(DataError):
    """The output cannot be written: what comes after it would fail as well."""


class _Done:
    """Counts of what has been predicted so far."""

    def __init__(self) -> None:
        self.items = self.parts = self.failed = 0
        self.remarks: list[str] = []
        self.began = time.perf_counter()

    def report(self, task: AnyTaskCLI, estimator: AnyEstimator, output: str) -> None:
        """Print remarks and, if the output is a file, how much was predicted."""
        for line in self.remarks + task.remarks(estimator):
            click.echo(line, err=True)
        if output != "-":
            speed = self.parts / max(time.perf_counter() - self.began, 1e-9)
            counts = f"{counted(self.items, task.items)}, {counted(self.parts, task.parts)}"
            click.echo(f"predicted {counts} ({speed:,.0f} a second): {output}", err=True)


def _predict(
    task: AnyTaskCLI,
    estimator: AnyEstimator,
    place: str,
    put: Put,
    reading: Reading,
    predicted: Answers,
    done: _Done,
    read: Callable[[int], None],
    given: tuple[str, ...] = (),
) -> None:
    """Predict for one file, or for standard input."""
    from structron.io import Report

    report = Report()
    pending: list[Any] = []
    is_text = takes_text(place)
    opened = streams.given(place) if is_text else streams.opened(place)
    with opened as (source, stream):

        def answer() -> None:
            if pending:
                put(list(predicted(pending)))
                done.items += sum(getattr(item, "sentences", len(item) > 0) for item in pending)
                done.parts += sum(map(len, pending))
                pending.clear()

        # Before the source waits for more, all it has given is answered: batches are as large as can be
        # without letting anybody wait.
        source.before_wait = answer
        source.after_read = read
        items = task.read(estimator, stream, reading, report)
        if given:
            from structron.cli.files.given_parts import keeping

            items = (keeping(item, given, task) for item in items)
        for item in items:
            pending.append(item)
        answer()
    if said := streams.left_out(report, source.name):
        done.remarks.append(said)


@contextlib.contextmanager
def _writing(task: AnyTaskCLI, output: str, reading: Reading, opening: str) -> Iterator[Put]:
    """Yield a function that writes items; its errors are never taken for errors of reading."""
    from structron.io.files.streams import writing

    stdout = sys.stdout.buffer if output == "-" else None
    with writing(stdout or output, reading.encoding) as text:

        def put(items: list[Any]) -> None:
            try:
                task.write(items, _Text(text))
                if stdout is not None:
                    stdout.flush()
            except BrokenPipeError:
                raise streams.ReaderGone from None
            except OSError as error:
                name = "stdout" if output == "-" else output
                raise Unwritable(
                    f"{name}: cannot be written, {(error.strerror or str(error)).lower()}; check it"
                ) from None

        if opening:
            text(opening)
        yield put


class _Text:
    """An open file with the one method that writing needs."""

    encoding = "utf-8"

    def __init__(self, put: Callable[[str], object]) -> None:
        self.write = put


@contextlib.contextmanager
def portion_told(places: Sequence[str], output: str) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of bytes that were read.

    Progress is shown if all inputs are files, whose size is known, unless the output goes to a terminal. Work
    on these bytes is part of it and shows no progress of its own.
    """
    total = 0 if output == "-" and sys.stdout.isatty() else _size(places)
    name = f"predicting {places[0] if len(places) == 1 else f'{len(places)} files'}"
    told, done = current_listener(), 0

    def read(count: int) -> None:
        nonlocal done
        done += count
        if total:
            told(name, min(done, total), total)

    with progress_to(None):
        yield read


def _size(places: Sequence[str]) -> int:
    """Return the bytes of all files together; 0 if one is a pipe or missing."""
    total = 0
    for place in places:
        try:
            found = os.fstat(0) if place == "-" else os.stat(place)  # noqa: PTH116
        except (OSError, ValueError):
            return 0
        if not stat.S_ISREG(found.st_mode):
            return 0
        total += found.st_size
    return total
