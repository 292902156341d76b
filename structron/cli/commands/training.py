"""A run of ``structron train``: from files to a saved model."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from structron import registry
from structron.cli import task_cli
from structron.cli.files.examples import labelled, streamed_files
from structron.cli.files.places import Places, check_places, pictures, refuse_overlap
from structron.cli.files.reading import Reading
from structron.cli.terminal.confidence import check_calibrate
from structron.cli.terminal.counting import counted, size
from structron.cli.terminal.settings import (
    as_flags,
    declared,
    files_meant,
    flag,
    recipe_of,
    templates_file,
)
from structron.cli.terminal.standard import catch_signals
from structron.errors import ModelError, SettingError
from structron.settings import with_new_names

if TYPE_CHECKING:
    from structron.cli.task_cli import AnyTaskCLI
    from structron.fit import Checkpoint, Cluster, Recipe
    from structron.fit.estimator import AnyEstimator

Data = tuple[Iterable[Any], Sequence[Any] | None]  # inputs, and outputs if they come apart

INTERRUPTED = 130
RESUME = "{}: run the same command with --resume to continue"


def learn(
    task: str,
    reading: Reading,
    train: tuple[str, ...],
    dev: str | tuple[str, ...] | None,
    output: str,
    recipe: str | None,
    plot: str | None,
    calibrate: bool,
    resume: bool,
    restart: bool,
    minutes: float,
    keep: bool,
    threads: int,
    ray: str | None,
    workers: int | None,
    stream: str | None = None,
    references: tuple[str, ...] = (),
    **settings: Any,
) -> int:
    """Read the data, train and save; refuse whatever can be refused before the data are read."""
    from structron.fit import Checkpoint
    from structron.io.files.atomic_write import WriteLock, remove_parts

    shown = registry.cli_of(task)
    train, dev = files_meant(shown.sides, train, dev)
    dev = _with_references(dev, references)
    inputs: dict[str, Places] = {"TRAIN": train, "--dev": dev, "--recipe": recipe}
    inputs |= _files_named(task, settings)
    _refuse_overlap(output, plot, inputs)
    chosen, extra = recipe_of(task, recipe, settings)
    check_places(output, plot)
    if calibrate:
        check_calibrate(task, dev)
    checkpoint = Checkpoint(f"{output}.checkpoint", minutes or 1.0, partial(click.echo, err=True))
    with WriteLock(output, ModelError):
        resumed = resumes(checkpoint, resume, restart, minutes)
        place = _cluster(ray, workers, chosen)
        _hint_at_threads(chosen, threads, place)
        data, held_out = _data(shown, train, dev, reading, chosen.as_dict() | extra, stream)
        estimator = task_cli.new_estimator(shown, chosen, extra)
        estimator.threads = threads
        written = checkpoint if minutes else None
        finished = _fit(estimator, data, held_out, chosen.epochs, written, resumed, place, stream)
        if calibrate and finished and held_out is not None:
            estimator.calibrate(*held_out)
        unfinished = Path(f"{output}.interrupted")
        _save(shown, estimator, Path(output) if finished else unfinished, checkpoint)
        if settled := estimator.model_.about.get("settled"):
            words = [*train, *_dev_words(dev, references), "-o", output, *(["--calibrate"] * calibrate)]
            _print_settled(task, words, {"--recipe": recipe, "--stream": stream}, reading, settings, settled)
        if finished:
            remove_parts(output)
            if not keep:
                checkpoint.remove()
            if resumed:
                unfinished.unlink(missing_ok=True)
        if plot is not None:
            _plot(estimator, plot)
    return 0 if finished else INTERRUPTED


def _data(
    shown: AnyTaskCLI,
    train: tuple[str, ...],
    dev: str | tuple[str, ...] | None,
    reading: Reading,
    settings: Mapping[str, Any],
    stream: str | None,
) -> tuple[Data, Any]:
    """Read what to learn from, and what to score on after each epoch."""
    data: Data = (
        shown.split(labelled(shown, train, reading, settings))
        if stream is None
        else (streamed_files(shown, train, reading, settings), None)
    )
    if dev is None:
        return data, None
    # What is scored against must be known.
    whole = {name: value for name, value in settings.items() if name != "partial"}
    return data, shown.split(labelled(shown, dev, reading, whole))


def _plot(estimator: AnyEstimator, plot: str) -> None:
    """Draw the training curves."""
    from structron.cli.draw.plots import training_curves

    if estimator.history_:
        drawn = training_curves(estimator.history_, Path(plot))
        click.echo(f"curves drawn: {' and '.join(map(str, drawn))}", err=True)


def _print_settled(
    task: str,
    words: list[str],
    options: Mapping[str, str | None],
    reading: Reading,
    settings: Mapping[str, Any],
    settled: Mapping[str, Any],
) -> None:
    """Print the command that trains again with the settings that were chosen."""
    named = [word for name, value in options.items() if value for word in (name, value)]
    words = ["structron", "train", task, *words, *named, *reading.flags()]
    given = {
        name: value
        for name, value in settings.items()
        if value is not None and name not in ("prefer", "trials")
    }
    chosen = with_new_names(registry.recipe_of(task), settled)
    said = shlex.join([*words, *as_flags(task, {**given, **chosen})])
    click.echo(f"settings chosen; the same again: {said}", err=True)


def _files_named(task: str, settings: Mapping[str, Any]) -> dict[str, Places]:
    """Return the files that settings name, each by its option."""
    found: dict[str, Places] = {
        flag(name): settings.get(name)
        for group in declared(task)
        for name, each in group.items()
        if each.about.metavar == "FILE"
    }
    return found | {"--templates": templates_file(settings.get("templates"), task)}


def _dev_words(dev: str | tuple[str, ...] | None, references: tuple[str, ...]) -> list[str]:
    """Return --dev and --reference as they were given: `dev` ends with the references."""
    if dev is None:
        return []
    own = (dev,) if isinstance(dev, str) else dev[: len(dev) - len(references)]
    return ["--dev", *own, *(word for each in references for word in ("--reference", each))]


def _with_references(
    dev: str | tuple[str, ...] | None, references: tuple[str, ...]
) -> str | tuple[str, ...] | None:
    """Return the files of --dev with further references."""
    if not references:
        return dev
    if not isinstance(dev, tuple):
        raise SettingError("--reference is another reference of --dev; give --dev SRC TGT first")
    return (*dev, *references)


def _refuse_overlap(output: str, plot: str | None, inputs: dict[str, Places]) -> None:
    """Refuse to write a file that is also read."""
    if output == "-":
        raise SettingError("-o -: a model cannot go to standard output; name a file")
    outputs: dict[str, Places] = {
        "-o": output,
        "the checkpoint": f"{output}.checkpoint",
        "an interrupted model": f"{output}.interrupted",
        "--plot": pictures(plot),
    }
    refuse_overlap(outputs, inputs)


def resumes(checkpoint: Checkpoint, resume: bool, restart: bool, minutes: float) -> bool:
    """Return whether to continue from a checkpoint; never discard one unless the user says so."""
    if resume and (restart or not minutes):
        other = "--restart" if restart else "--checkpoint 0"
        raise SettingError(f"--resume and {other} exclude each other; give one of them")
    if not checkpoint.exists:
        if resume:
            click.echo(f"{checkpoint.path}: there is no checkpoint; starting from the beginning", err=True)
        return False
    if not resume and not restart:
        raise SettingError(
            f"{checkpoint.path}: a training of this model can be resumed; give --resume to continue it, "
            "or --restart to start again"
        )
    return resume


def _cluster(address: str | None, workers: int | None, recipe: Recipe) -> Cluster | None:
    """Connect to the cluster to train on, if any, before data are read."""
    from structron.fit import Cluster

    if address is None:
        if workers is not None:
            raise SettingError("--workers is for a cluster; name one with --ray, or use --threads")
        return None
    cluster = Cluster(address, 2 if workers is None else workers)
    cluster.check(recipe)
    cluster.connect()
    catch_signals()  # Ray has set its own way of ending
    return cluster


def _hint_at_threads(recipe: Recipe, threads: int, cluster: Cluster | None) -> None:
    if threads > 1 and recipe.batch == recipe.shards == 1 and cluster is None:
        click.echo(
            f"--threads {threads}: learning from one example at a time uses one thread; "
            "add --batch 16 or --shards 4 to use more",
            err=True,
        )


def _fit(
    estimator: AnyEstimator,
    data: Data,
    dev: Data | None,
    epochs: int,
    checkpoint: Checkpoint | None,
    resume: bool,
    cluster: Cluster | None,
    stream: str | None,
) -> bool:
    """Train to the end, or until somebody interrupts; whether it was to the end."""
    from structron.cli.terminal.progress import watching
    from structron.fit import Stream

    told = None if stream is None else Stream(Path(stream), partial(click.echo, err=True))
    try:
        with watching(epochs) as watcher:
            estimator.fit(
                *data,
                dev=dev if dev is None or dev[1] is not None else dev[0],
                on_epoch=watcher.epoch,
                progress=watcher.step,
                on_workers=watcher.workers,
                on_stage=watcher.stage,
                checkpoint=checkpoint,
                resume=resume,
                cluster=cluster,
                stream=told,
            )
    except KeyboardInterrupt:
        if not hasattr(estimator, "model_"):
            if checkpoint is not None and checkpoint.exists:
                click.echo(RESUME.format(checkpoint.path), err=True)
            raise
        done = len(estimator.history_)
        estimator.model_.about["interrupted"] = done + 1
        click.echo(
            f"interrupted in epoch {done + 1}; saving the best model so far (Ctrl-C again to give up)",
            err=True,
        )
        return False
    return True


def _save(shown: AnyTaskCLI, estimator: AnyEstimator, output: Path, checkpoint: Checkpoint) -> None:
    """Save, and print what was made."""
    from structron.cli.terminal.progress import table

    try:
        estimator.save(output)
    except ModelError as error:
        if not checkpoint.path.exists():
            raise
        what = str(error).partition(";")[0]
        raise ModelError(f"{what}; make room, then run the same command with --resume") from None
    for line in table(estimator.history_, sys.stderr):
        click.echo(line, err=True)
    rows = estimator.model_.rows
    click.echo(
        f"model saved: {output} ({size(output.stat().st_size)}; {shown.size(estimator)}, "
        f"{counted(len(rows.keys), 'features')}, {counted(len(rows.weights), 'weights')})",
        err=True,
    )
    if "interrupted" in estimator.model_.about and checkpoint.path.exists():
        click.echo(RESUME.format(checkpoint.path), err=True)
