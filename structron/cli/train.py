"""``structron train``: learn a model from labelled data."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from structron.cli import face, streams
from structron.errors import DataError, SettingError

if TYPE_CHECKING:
    from structron.data import Names
    from structron.training import Checkpoint, Cluster, Recipe

INTERRUPTED = 130


@click.command(short_help="Learn a model from labelled data.")
@click.argument("task", callback=face.known_task)
@click.argument("train", metavar="TRAIN|-")
@click.option(
    "--dev", metavar="DEV", help="Development data: the best epoch on it is kept, otherwise the last."
)
@click.option("-o", "--output", required=True, metavar="MODEL", help="The model file to write.")
@click.option(
    "--search",
    metavar="SEARCH",
    help="exact, greedy, beam:8, beam:8+merge, beam:8+within=20 or dp:8 (parsing)  [beam:4, parsing beam:8]",
)
@click.option(
    "--update",
    metavar="UPDATE",
    help="standard, early, hybrid, latest, max-violation, laso, or auto: laso for greedy search, else "
    "max-violation  [max-violation, parsing auto]",
)
@click.option(
    "--learner",
    metavar="LEARNER",
    help="perceptron (as published), mira (1-best), mira:5 (k-best), pa:C=0.1, swvp:single,wm,balanced; "
    "more options follow between commas, such as plain (not averaged) and margin=20  [perceptron:margin=20]",
)
@click.option("--epochs", type=int, metavar="N", help="Passes over the data  [15]")
@click.option("--seed", type=int, metavar="N", help="Which order they take  [0]")
@click.option(
    "--templates",
    metavar="PRESET|FILE",
    help="auto, a ready set, or a file with one a line  [auto]",
)
@click.option("--order", type=int, metavar="N", help="How many previous tags may matter, 0 to 2  [2]")
@click.option("--constraints", metavar="SCHEME", help="auto, none, bio, iob1 or bioes  [auto]")
@click.option(
    "--dictionary", type=int, metavar="N", help="Words seen N times keep to their tags; 0 for none  [0]"
)
@click.option("--hidden", type=int, metavar="N", help="Hidden sub-labels of each label (tagging)  [1]")
@click.option(
    "--system", metavar="SYSTEM", help="Parsing: arc-standard, arc-eager, arc-hybrid or swap  [arc-standard]"
)
@click.option(
    "--oracle", metavar="ORACLE", help="Parsing: static, or dynamic (arc-eager, arc-hybrid)  [static]"
)
@click.option(
    "--unlabelled", "labelled", flag_value=False, type=bool, default=None, help="Parsing: heads alone."
)
@click.option(
    "--roots", type=click.Choice(["one", "many"]), help="Parsing: roots that a tree may have  [one]"
)
@click.option(
    "--crossing", metavar="HOW", help="Parsing: crossing arcs: pseudo, lift, leave-out or refuse  [pseudo]"
)
@click.option(
    "--tagger", metavar="jackknife[:K]", help="Parsing: taggers as part of the model, for plain words  [none]"
)
@click.option("--cut", type=int, metavar="N", help="Leave out features seen fewer times  [0]")
@click.option("--bits", type=int, metavar="B", help="Hash features into 2^B rows; 0 keeps all apart  [0]")
@click.option("--negligible", type=float, metavar="X", help="Leave out weights smaller than X  [0]")
@click.option("--half/--full", default=None, help="Round weights to half precision: a smaller file  [full]")
@click.option(
    "--batch", type=int, metavar="N", help="Decode N examples with the same weights, then update once  [1]"
)
@click.option(
    "--shards", type=int, metavar="N", help="Train on N shards apart and mix their weights every epoch  [1]"
)
@click.option("--mixing", metavar="HOW", help="How shards are mixed: uniform, or by their errors  [uniform]")
@streams.threads_option
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Train on a Ray cluster: auto, host:port, or local to start one here (needs structron[ray]).",
)
@click.option("--workers", type=int, metavar="N", help="How many workers of the cluster take part  [2]")
@click.option("--least", type=int, metavar="N", help="Leave out pieces seen fewer times (transduction)  [1]")
@click.option(
    "--longest-source", type=int, metavar="N", help="Source symbols of a piece at most (transduction)  [2]"
)
@click.option(
    "--longest-target", type=int, metavar="N", help="Target symbols of a piece at most (transduction)  [2]"
)
@click.option(
    "--unreachable",
    metavar="skip|nearest",
    help="What becomes of words whose target has no derivation (transduction)  [skip]",
)
@click.option(
    "--source-symbols", metavar="WAY", help="characters, blanks or decomposed (transduction)  [auto]"
)
@click.option(
    "--target-symbols", metavar="WAY", help="characters, blanks or decomposed (transduction)  [auto]"
)
@click.option("--recipe", metavar="FILE.toml", help="Settings from a file; what is given here goes before.")
@click.option("--target", metavar="COLUMN", help="The column to predict; otherwise upos, or the last one.")
@streams.format_option
@streams.columns_option
@streams.encoding_option
@streams.skip_option
@click.option(
    "--resume", is_flag=True, help="Go on from MODEL.checkpoint, which training leaves when it is killed."
)
@click.option(
    "--checkpoint",
    "minutes",
    type=float,
    default=5.0,
    metavar="MINUTES",
    help="How often to write it within an epoch; it is also written after each  [5]",
)
@click.option("--plot", metavar="FILE.png", help="Draw the training curves, as PNG and as SVG.")
def train(
    task: str,
    train: str,
    dev: str | None,
    output: str,
    recipe: str | None,
    format_name: str | None,
    columns: Names | None,
    encoding: str,
    skip_bad: bool,
    plot: str | None,
    resume: bool,
    minutes: float,
    threads: int,
    cluster: str | None,
    workers: int | None,
    **settings: Any,
) -> int:
    """Learn TASK (tagging, parsing, transduction) from TRAIN.

    Defaults are the good choice. Ctrl-C ends training and leaves the best model so far; training that was
    killed goes on with --resume.
    """
    from structron.training import Checkpoint

    chosen, further = recipe_of(task, recipe, settings)
    place = _cluster(cluster, workers, chosen)
    _check_place(output)
    checkpoint = Checkpoint(f"{output}.checkpoint", minutes)
    if resume and not checkpoint.path.exists():
        click.echo(f"{checkpoint.path}: there is no checkpoint; starting from the beginning", err=True)
    if plot is not None:
        from structron.cli.plots import check_matplotlib

        check_matplotlib("--plot")
    _catch_signals()
    shown = face.face_of(task)
    reading = face.Reading(format_name, columns, skip_bad, encoding)
    every = chosen.as_dict() | further
    data = labelled(shown, train, reading, every)
    held_out = None if dev is None else labelled(shown, dev, reading, every)
    estimator = shown.estimator.from_recipe(chosen, **further)
    estimator.threads = threads
    interrupted = not _fit(estimator, data, held_out, chosen.epochs, checkpoint, resume, place)
    code = _finish(shown, estimator, Path(output), plot, interrupted)
    if not interrupted:
        checkpoint.remove()
    return code


def recipe_of(task: str, file: str | None, settings: dict[str, Any]) -> tuple[Recipe, dict[str, Any]]:
    """The recipe of the file, or the usual one, with what was given on the command line.

    What the estimator takes beside its recipe comes apart; what neither takes is refused.
    """
    from dataclasses import fields

    shown = face.face_of(task)
    kind = shown.estimator.recipe_type
    base = kind() if file is None else kind.from_file(file)
    given = {name: value for name, value in settings.items() if value is not None}
    further = shown.further(given)
    for name in given:
        if name not in further and name not in {each.name for each in fields(kind)}:
            raise SettingError(f"train {task}: --{name.replace('_', '-')} means nothing here; leave it out")
    if "templates" in given:
        given["templates"] = _templates(given["templates"], shown.presets)
    return base.but(**{name: value for name, value in given.items() if name not in further}), further


def _cluster(address: str | None, workers: int | None, recipe: Recipe) -> Cluster | None:
    """Where to train, if not here; asked for now and not after the data have been read."""
    from structron.training import Cluster

    if address is None:
        if workers is not None:
            raise SettingError("--workers is for a cluster; name one with --cluster, or use --threads")
        return None
    cluster = Cluster(address, 2 if workers is None else workers)
    cluster.check(recipe)
    cluster.connect()
    return cluster


def _templates(text: str, presets: Collection[str]) -> str | tuple[str, ...]:
    """A preset's name, or the lines of a file; in a file, lines that begin with # are comments."""
    if text == "auto" or text in presets:
        return text
    try:
        lines = Path(text).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        known = ", ".join(["auto", *presets])
        raise SettingError(
            f"templates {text!r} are neither a preset ({known}) nor a text file; give one"
        ) from None
    return tuple(line for line in lines if line.strip() and not line.lstrip().startswith("#"))


def _check_place(output: str) -> None:
    """Whether the model can be written: better asked now than after an hour."""
    folder = Path(output).absolute().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise SettingError(f"{output}: its folder is not there or cannot be written to; make it first")
    if Path(output).is_dir():
        raise SettingError(f"{output}: this is a folder; name a file")


def _counted(count: int, things: str) -> str:
    return f"{count:,} {things.removesuffix('s') if count == 1 else things}"


def labelled(shown: face.Face, place: str, reading: face.Reading, settings: dict[str, Any]) -> list[Any]:
    """The examples of a file, and a word about how many there are."""
    from structron.data import Report

    report = Report()
    examples = shown.labelled(place, reading, report, settings)
    name = "stdin" if place == "-" else place
    count = sum(map(len, examples))
    click.echo(f"{name}: {_counted(len(examples), shown.items)}, {_counted(count, shown.parts)}", err=True)
    if said := streams.told(report, name):
        click.echo(said, err=True)
    if not examples:
        raise DataError(f"{name}: there are no {shown.items} to use; check the file")
    return examples


def _fit(
    estimator: Any,
    data: list[Any],
    dev: list[Any] | None,
    epochs: int,
    checkpoint: Checkpoint,
    resume: bool,
    cluster: Cluster | None,
) -> bool:
    """Train to the end, or until somebody interrupts; whether it was to the end."""
    from structron.cli.progress import watching

    try:
        with watching(epochs) as watcher:
            estimator.fit(
                data,
                dev=dev,
                on_epoch=watcher.epoch,
                progress=watcher.step,
                on_workers=watcher.workers,
                checkpoint=checkpoint,
                resume=resume,
                cluster=cluster,
            )
    except KeyboardInterrupt:
        if not hasattr(estimator, "model_"):
            raise
        return False
    return True


def _finish(shown: face.Face, estimator: Any, output: Path, plot: str | None, interrupted: bool) -> int:
    """Save, and tell what there is."""
    from structron.cli.progress import console, table

    if interrupted:
        done = len(estimator.history_)
        estimator.model_.about["interrupted"] = done + 1
        click.echo(
            f"interrupted in epoch {done + 1}; saving the best model so far (Ctrl-C again to give up; "
            "--resume goes on)",
            err=True,
        )
    estimator.save(output)
    if estimator.history_:
        console(sys.stderr).print(table(estimator.history_))
    rows = estimator.model_.rows
    click.echo(
        f"model saved: {output} ({size(output.stat().st_size)}; {shown.size(estimator)}, "
        f"{len(rows.keys):,} features, {len(rows.weights):,} weights)",
        err=True,
    )
    if plot is not None and estimator.history_:
        from structron.cli.plots import training_curves

        drawn = training_curves(estimator.history_, Path(plot))
        click.echo(f"curves drawn: {' and '.join(map(str, drawn))}", err=True)
    return INTERRUPTED if interrupted else 0


def size(count: int) -> str:
    """Bytes, readably."""
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"


def _catch_signals() -> None:
    """Ctrl-C and a polite kill alike end training, unless whoever started us wants them ignored (nohup)."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt
