"""``structron evaluate``: how good a model is on labelled data, or what it has predicted before."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from structron.cli import face, streams
from structron.cli.settings import elsewhere
from structron.errors import DataError, SettingError
from structron.tasks import KINDS

if TYPE_CHECKING:
    from structron.data import Names
    from structron.estimators import AnyEstimator


@click.command(short_help="Score a model on labelled data, or a predicted file against gold.")
@click.argument("model", metavar="MODEL|PREDICTED")
@click.argument("gold", metavar="GOLD|-...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="One machine-readable line.")
@click.option(
    "--confusions", type=click.IntRange(min=0), default=0, metavar="N", help="The N most frequent mistakes."
)
@click.option(
    "--task",
    "task_name",
    type=click.Choice(list(face.TRAINED)),
    help="What was predicted, if the first file is not a model and its format does not decide it.",
)
@click.option(
    "--against",
    metavar="OTHER",
    help="Another output for the same inputs (translation): does PREDICTED differ by more than chance?",
)
@click.option("--target", metavar="COLUMN", help="The predicted column; otherwise upos, or the last one.")
@streams.format_option
@streams.columns_option
@streams.encoding_option
@streams.executor_option
@click.option("--answers", is_flag=True, help="For semantics: GOLD has question TAB answer, and no forms.")
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
    against: str | None,
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
    """
    reading = face.Reading(format_name, columns, skip_bad, encoding, start, is_gold=True, answers=answers)
    if not _is_model(model, task_name):
        refused = {"--search": search, "--skip-bad": skip_bad, "--from": start, "--executor": executor}
        refused["--answers"] = answers
        if name := next((name for name, given in refused.items() if given), None):
            raise SettingError(f"{model}: {name} is for models, and this is not a model file; leave it out")
        task, figures = _compared(model, gold, against, task_name, target, reading, confusions)
        click.echo(json.dumps(figures) if as_json else "\n".join(task.measured(figures)))
        return
    if against is not None:
        raise SettingError(f"{model}: --against takes two outputs; predict with the model first")
    if task_name is not None or target is not None:
        name = "--task" if task_name is not None else "--target"
        raise SettingError(f"{model}: a model knows what it predicts; leave {name} out")
    task, estimator = face.load(model, search)
    face.check_start(task, start)
    face.take_executor(task, estimator, executor, answers)
    estimator.threads = threads
    figures = _measured(task, estimator, gold, reading, confusions) | {"model": model}
    if as_json:
        click.echo(json.dumps(figures))
        return
    made = " · ".join(f"{name} {value}" for name, value in figures["signature"].items())
    click.echo("\n".join([*task.measured(figures), "", f"{figures['search']} · {made}"]))


def _measured(
    task: face.AnyFace,
    estimator: AnyEstimator,
    gold: tuple[str, ...],
    reading: face.Reading,
    confusions: int,
) -> face.Plain:
    """The figures of a model, with its signature."""
    from structron.data import Report

    report = Report()
    place = face.place_of(task, gold, len(task.sides))
    name = face.named(place)
    if task.sides:
        items = task.labelled(place, reading, report, estimator.recipe.as_dict())
    else:
        with streams.opened(place) as (_, stream):
            items = list(task.read(estimator, stream, reading, report))
    if said := streams.left_out(report, name):
        click.echo(said, err=True)
    if not items:
        raise DataError(f"{name}: there are no {task.items} to score; check the file")
    figures = task.measure(estimator, items, confusions)
    signature = dict(estimator.model_.about.get("signature", {}))
    signature["evaluated_on"] = figures.pop("evaluated_on")
    figures |= {"search": str(estimator.model_.search), "signature": signature}
    return figures | {"gold": name, "left_out": report.bad}


def _is_model(place: str, task: str | None) -> bool:
    """Whether a file is a model; what is neither that nor text is one unless the user says otherwise."""
    if place == "-":
        return False
    try:
        with Path(place).open("rb") as file:
            head = file.read(9)
    except OSError:
        return task is None  # the reader says what is wrong
    if b"\0" in head[:8] and head[8:] == b"{":  # safetensors: the length of its header, and a header
        return True
    text = head and (b"\0" not in head or head.startswith(b"\x1f\x8b"))
    return not text and task is None


def _compared(
    guess: str,
    gold: tuple[str, ...],
    other: str | None,
    name: str | None,
    target: str | None,
    reading: face.Reading,
    confusions: int,
) -> tuple[face.AnyFace, face.Plain]:
    """The figures of what was predicted, and how it differs from another output."""
    from structron.data import Report

    if guess == "-" and "-" in gold:
        raise SettingError("standard input cannot be both what was predicted and gold; name a file for one")
    task = face.face_of(name or _task_of(guess, gold, other, reading))
    recipe: Any = getattr(task.estimator, "recipe_type", None)  # a pipeline has none
    settings = ({} if recipe is None else recipe().as_dict()) | asdict(task.extra())
    if target is not None:
        if "target" not in settings:
            raise SettingError(f"{elsewhere('--target', task.estimator.kind)}; leave it out")
        settings["target"] = target
    # Trees may have any number of roots: they are only compared.
    settings |= {"roots": "many"} if "roots" in settings else {}

    def items(places: tuple[str, ...], blanks: bool) -> list[Any]:
        # A prediction may be empty; gold may not.
        place = face.place_of(task, places, 1)
        found = task.labelled(place, replace(reading, blanks=blanks), Report(), settings)
        if not found:
            raise DataError(f"{face.named(place)}: there are no {task.items} to score; check the file")
        return found

    said, right = items((guess,), True), items(gold, False)
    figures = task.compare(said, right, settings, confusions)
    if other is not None:
        if not isinstance(task, face.Paired):
            raise SettingError(f"--against is not for {task.estimator.kind}; leave it out")
        figures |= task.against(said, items((other,), True), right) | {"against": other}
    shown = gold[0] if len(gold) == 1 else list(gold)
    return task, figures | {"predicted": guess, "gold": shown, "task": task.estimator.kind}


def _task_of(guess: str, gold: tuple[str, ...], other: str | None, reading: face.Reading) -> str:
    """The task, where the files' format alone decides what can have been predicted, or how many they are."""
    faces = {kind: face.face_of(kind) for kind in KINDS}
    if len(gold) > 1:
        owners = [kind for kind, each in faces.items() if each.sides]
    elif other is not None:
        owners = [kind for kind, each in faces.items() if isinstance(each, face.Paired)]
    else:
        found = reading.format or _format_of(guess, gold[0], reading) or ""
        owners = [kind for kind, each in faces.items() if each.owns(found, reading.columns or ())]
    if len(owners) != 1:
        *others, last = face.TRAINED
        place = "stdin" if guess == "-" else guess
        raise SettingError(f"{place}: say what was predicted with --task {', '.join(others)} or {last}")
    return owners[0]


def _format_of(guess: str, gold: str, reading: face.Reading) -> str | None:
    """The format by names and first lines; it is text only if both files are."""
    from structron.data import sniff

    if "-" in (guess, gold):
        return None
    first = _peeked(guess, reading)
    if sniff.is_text(first):
        return "text" if sniff.is_text(_peeked(gold, reading)) else None
    try:
        found = sniff.by_name(guess) or sniff.by_lines(guess, first)
    except DataError:
        return None
    # Pairs look like columns, but for the blank lines between sentences.
    return "pairs" if found == "columns" and all(first) else found


def _peeked(place: str, reading: face.Reading) -> list[str]:
    from structron.data import files, sniff

    with files.reading(place, reading.encoding) as lines:
        return lines.peek(sniff.LOOK)
