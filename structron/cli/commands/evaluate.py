"""``structron evaluate``: the scores of a model, or of an earlier prediction, on labelled data."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from structron import registry
from structron.cli import task_cli
from structron.cli.command_list import HELP, LongHelp
from structron.cli.draw.reports import Wanted, judging, known_words, reported
from structron.cli.files import streams
from structron.cli.files.places import pictures, refuse_overlap
from structron.cli.task_cli import Plain, Reading
from structron.cli.terminal.settings import elsewhere
from structron.errors import DataError, SettingError
from structron.settings import settings_of

if TYPE_CHECKING:
    from structron.cli.task_cli import AnyTaskCLI, Judged
    from structron.fit.estimator import AnyEstimator
    from structron.io import Names, Report
    from structron.metrics.reports import Grade


@click.command(
    cls=LongHelp,
    basic=("as_json", "confusions", "full", "errors", "against", "format_name", "threads"),
    short_help=HELP["evaluate"],
)
@click.argument("model", metavar="MODEL|PREDICTED")
@click.argument("gold", metavar="GOLD|-...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
@click.option(
    "--confusions",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Print the N most frequent mistakes.",
)
@click.option(
    "--task",
    "task_name",
    type=click.Choice(list(registry.trained())),
    metavar="TASK",
    help=f"The task of PREDICTED, if the format does not decide it: {', '.join(registry.trained())}.",
)
@click.option(
    "--report",
    "full",
    is_flag=True,
    help="Also print precision, recall and F1 by label, scores by known words and length, and confusions.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print only the table of labels, as CSV.")
@click.option("--plot", metavar="FILE", help="Draw the confusion matrix as a heat map, as PNG and as SVG.")
@click.option(
    "--errors", metavar="FILE", help="Write all mistakes as a page for a browser, such as errors.html."
)
@click.option("--train", metavar="FILE", help="The training data, whose words count as known in the report.")
@click.option(
    "--against",
    metavar="OTHER",
    help="Test whether another model, or another output for the same inputs, differs by more than chance.",
)
@click.option(
    "--differences",
    type=click.IntRange(min=0),
    default=5,
    metavar="N",
    help="Number of examples shown where the two differ  [5]",
)
@click.option("--target", metavar="COLUMN", help="The predicted column; otherwise upos, or the last one.")
@streams.format_option
@streams.columns_option
@streams.encoding_option
@streams.executor_option
@click.option("--answers", is_flag=True, help="For semantics: GOLD has question TAB answer instead of forms.")
@streams.start_option
@streams.search_option
@streams.threads_option
@streams.skip_option
def evaluate(
    model: str,
    gold: tuple[str, ...],
    as_json: bool,
    confusions: int,
    task_name: str | None,
    full: bool,
    as_csv: bool,
    plot: str | None,
    errors: str | None,
    train: str | None,
    against: str | None,
    differences: int,
    target: str | None,
    format_name: str | None,
    columns: Names | None,
    encoding: str,
    executor: str | None,
    answers: bool,
    start: str | None,
    search: str | None,
    threads: int,
    skip_bad: bool,
) -> None:
    """Score MODEL on the labelled examples of GOLD, or a file PREDICTED earlier against GOLD.

    Tagging: accuracy by word and by sentence; where labels mark spans, precision, recall and F1 of spans, as
    conlleval counts them. Parsing: attachment scores, as in CoNLL 2018. Transduction: word and symbol error
    rates, where any target of a word counts. Semantics: exact match of forms, and with --executor answers.
    Translation: BLEU and chrF, as in sacreBLEU; GOLD is the source and one or more references for a MODEL,
    and these references alone for what was PREDICTED. A pipeline: the table of CoNLL 2018, from the raw text
    of GOLD.

    More for every task: --report, --csv and --errors, of a pipeline by stage, of translations by sentence
    with the worst first; --against for two models or two outputs; --plot where there are labels.
    """
    reading = Reading(format_name, columns, skip_bad, encoding, start, is_gold=True, answers=answers)
    wanted = Wanted(full, as_csv, plot, errors, train, against, differences)
    refuse_overlap(
        {"--plot": pictures(plot), "--errors": errors},
        {"MODEL": model, "GOLD": gold, "--train": train, "--against": against},
    )
    wanted.check(as_json)
    if not is_model(model, task_name):
        refused = {"--search": search, "--skip-bad": skip_bad, "--from": start, "--executor": executor}
        _refuse_given(model, refused | {"--answers": answers})
        task, figures = _compared(model, gold, wanted, task_name, target, reading, confusions)
        _print(task, figures, as_json)
        return
    if task_name is not None or target is not None:
        name = "--task" if task_name is not None else "--target"
        raise SettingError(f"{model}: a model knows what it predicts; leave {name} out")
    task, estimator = task_cli.load(model, search)
    task_cli.check_start(task, start)
    task_cli.take_executor(task, estimator, executor, answers)
    estimator.threads = threads
    figures = _measured(task, estimator, gold, reading, confusions, wanted) | {"model": model}
    _print(task, figures, as_json)


def _refuse_given(place: str, options: Mapping[str, object]) -> None:
    """Refuse options that were given and are for models, for a file that is none."""
    if name := next((name for name, given in options.items() if given), None):
        raise SettingError(f"{place}: {name} is for models, and this is not a model file; leave it out")


def _print(task: AnyTaskCLI, figures: Plain, as_json: bool) -> None:
    """Print the figures as JSON, as CSV or for people."""
    table, page = figures.pop("csv", None), figures.pop("page", [])
    if table is not None:
        click.echo(table, nl=False)
    elif as_json:
        click.echo(json.dumps(figures))
    else:
        made = figures.get("signature", {})
        lines = [*task.measured(figures), *page]
        if made:
            said = " · ".join(f"{name} {value}" for name, value in made.items())
            lines += ["", f"{figures['search']} · {said}"]
        click.echo("\n".join(lines))


def _measured(
    task: AnyTaskCLI,
    estimator: AnyEstimator,
    gold: tuple[str, ...],
    reading: Reading,
    confusions: int,
    wanted: Wanted,
) -> Plain:
    """Return the figures of a model, with its signature."""
    from structron.io import Report

    items, report, name = _items(task, estimator, gold, reading)
    figures = task.measure(estimator, items, confusions)
    wanted = wanted.besides(figures, confusions)
    signature = dict(estimator.model_.about.get("signature", {}))
    signature["evaluated_on"] = figures.pop("evaluated_on")
    figures |= {"search": str(estimator.model_.search), "signature": signature}
    figures |= {"gold": name, "left_out": report.bad}
    if not wanted.any:
        return figures
    other_task: AnyTaskCLI | None = None
    if wanted.against is not None and is_model(wanted.against, None):
        other_task, other = task_cli.load(wanted.against)
        other.threads = estimator.threads
        read = _items(other_task, other, gold, reading)[0]
    if isinstance(task, task_cli.Grading):
        grades, second = task.graded(estimator, items), None
        if isinstance(other_task, task_cli.Grading):
            second = other_task.graded(other, read)
        elif wanted.against is not None:
            found = task.labelled((wanted.against,), replace(reading, blanks=True), Report(), {})
            second = task.graded_before(found, items, inputs=True)
        return figures | _graded(task, grades, second, figures, wanted)
    judged, others = judging(task).judged(estimator, items), None
    settings = _settings(task, estimator)
    if other_task is not None:
        others = judging(other_task).judged(other, read)
    elif wanted.against is not None:
        others = _judged_before(task, wanted.against, items, reading, settings)
    from structron.fit.data.known_words import weighted_words

    known: tuple[Container[str] | None, str] = (
        weighted_words(estimator.model_),
        "has a weight of its own in the model; or give --train FILE",
    )
    if wanted.train is not None:
        known = known_words(task, wanted.train, reading, settings)
    return figures | reported(judged, others, figures, known, wanted)


def _graded(
    task: task_cli.Grading, grades: list[Grade], second: list[Grade] | None, figures: Plain, wanted: Wanted
) -> Plain:
    """Return the report of outputs that are better or worse, and how they differ from others."""
    from structron.cli.draw.grades import check_wanted, graded

    check_wanted(wanted)
    found = graded(grades, figures, wanted)
    return found if second is None else found | task.different(grades, second) | {"against": wanted.against}


def _items(
    task: AnyTaskCLI, estimator: AnyEstimator, gold: tuple[str, ...], reading: Reading
) -> tuple[list[Any], Report, str]:
    """Return the examples of gold as the model takes them, what was left out, and the name of the files."""
    from structron.io import Report

    report = Report()
    place = task_cli.place_of(task, gold, len(task.sides))
    name = task_cli.named(place)
    if task.sides:
        items = task.labelled(place, reading, report, estimator.recipe.as_dict())
    else:
        with streams.opened(place) as (_, stream):
            items = list(task.read(estimator, stream, reading, report))
    if said := streams.left_out(report, name):
        click.echo(said, err=True)
    if not items:
        raise DataError(f"{name}: there are no {task.items} to score; check the file")
    return items, report, name


def _settings(task: AnyTaskCLI, estimator: AnyEstimator) -> dict[str, Any]:
    """Return the settings with which to read a file of the same kind as the training data."""
    known = settings_of(type(estimator))  # other settings say how files are read, which may differ
    extra = {name: getattr(estimator, name) for name in task_cli.extra_settings(task) if name in known}
    recipe = getattr(estimator, "recipe", None)  # a pipeline has none
    settings: dict[str, Any] = ({} if recipe is None else recipe.as_dict()) | extra
    return settings | task_cli.settings_to_compare(task)


def _judged_before(
    task: AnyTaskCLI,
    guess: str,
    gold: list[Any],
    reading: Reading,
    settings: Mapping[str, Any],
) -> Judged:
    """Read another output from its file and put it beside gold."""
    from structron.io import Report

    found = task.labelled(guess, replace(reading, blanks=True), Report(), settings)
    return judging(task).judged_before(found, gold, settings)


def is_model(place: str, task: str | None) -> bool:
    """Return whether a file is a model; a file that is neither model nor text counts as one, unless `task` is
    given."""
    from structron.io.files.compression import compression_of
    from structron.io.model_file.header import is_model_file

    if place == "-":
        return False
    try:
        with Path(place).open("rb") as file:
            head = file.read(10)
    except OSError:
        return task is None  # the reader says what is wrong
    if is_model_file(head):
        return True
    text = head and (b"\0" not in head or compression_of(head) is not None)
    return not text and task is None


def _compared(
    guess: str,
    gold: tuple[str, ...],
    wanted: Wanted,
    name: str | None,
    target: str | None,
    reading: Reading,
    confusions: int,
) -> tuple[AnyTaskCLI, Plain]:
    """Return the figures of a prediction, and how it differs from another output."""
    from structron.io import Report

    if guess == "-" and "-" in gold:
        raise SettingError("standard input cannot be both what was predicted and gold; name a file for one")
    task: AnyTaskCLI = registry.cli_of(name or _task_of(guess, gold, wanted.against, reading))
    recipe: Any = getattr(task.estimator, "recipe_type", None)  # a pipeline has none
    settings = {} if recipe is None else recipe().as_dict()
    settings |= {name: each.default for name, each in task_cli.extra_settings(task).items()}
    if target is not None:
        if "target" not in settings:
            raise SettingError(f"{elsewhere('--target', task.estimator.kind)}; leave it out")
        settings["target"] = target
    settings |= task_cli.settings_to_compare(task)

    def items(places: tuple[str, ...], blanks: bool) -> list[Any]:
        # A prediction may be empty; gold may not.
        place = task_cli.place_of(task, places, 1)
        found = task.labelled(place, replace(reading, blanks=blanks), Report(), settings)
        if not found:
            raise DataError(f"{task_cli.named(place)}: there are no {task.items} to score; check the file")
        return found

    said, right = items((guess,), True), items(gold, False)
    figures = task.compare(said, right, settings, confusions)
    wanted = wanted.besides(figures, confusions)
    figures["gold"] = gold[0] if len(gold) == 1 else list(gold)
    other = wanted.against
    if wanted.any:
        if other is not None and is_model(other, None):
            raise SettingError(
                f"{other}: --against is a model, and {guess} is an output; predict with the model first"
            )
        found = None if other is None else items((other,), True)
        if isinstance(task, task_cli.Grading):
            grades = task.graded_before(said, right)
            second = None if found is None else task.graded_before(found, right)
            figures |= _graded(task, grades, second, figures, wanted)
        else:
            judge = judging(task).judged_before
            others = None if found is None else judge(found, right, settings)
            known: tuple[Container[str] | None, str] = (None, "")
            if wanted.train is not None:
                known = known_words(task, wanted.train, reading, settings)
            figures |= reported(judge(said, right, settings), others, figures, known, wanted)
    return task, figures | {"predicted": guess, "task": task.estimator.kind}


def _task_of(guess: str, gold: tuple[str, ...], other: str | None, reading: Reading) -> str:
    """Return the task if the format of the files, or their number, leaves only one."""
    faces = {kind: registry.cli_of(kind) for kind in registry.learned()}
    if len(gold) > 1:
        owners = [kind for kind, each in faces.items() if each.sides]
    elif other is not None:
        owners = [kind for kind, each in faces.items() if isinstance(each, task_cli.Grading)]
    else:
        found = reading.format or _format_of(guess, gold[0], reading) or ""
        owners = [kind for kind, each in faces.items() if each.owns(found, reading.columns or ())]
    if len(owners) != 1:
        *others, last = registry.trained()
        place = "stdin" if guess == "-" else guess
        raise SettingError(f"{place}: say what was predicted with --task {', '.join(others)} or {last}")
    return owners[0]


def _format_of(guess: str, gold: str, reading: Reading) -> str | None:
    """Return the format by names and first lines; it is text only if both files are."""
    from structron.io.files import detection

    if "-" in (guess, gold):
        return None
    first = _peeked(guess, reading)
    if detection.is_text(first):
        return "text" if detection.is_text(_peeked(gold, reading)) else None
    try:
        found = detection.by_name(guess) or detection.by_lines(guess, first)
    except DataError:
        return None
    # Pairs look like columns, but for the blank lines between sentences.
    return "pairs" if found == "columns" and all(first) else found


def _peeked(place: str, reading: Reading) -> list[str]:
    from structron.io.files import detection, streams

    with streams.reading(place, reading.encoding) as lines:
        return lines.peek(detection.LOOK)
