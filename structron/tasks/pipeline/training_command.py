"""``structron train pipeline``: all stages from one treebank, into one model file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from structron import registry
from structron.cli import task_cli
from structron.cli.command_list import LongHelp
from structron.cli.files import streams
from structron.cli.files.places import check_places, refuse_overlap
from structron.cli.terminal.counting import counted, size
from structron.cli.terminal.settings import files_meant, option
from structron.errors import ModelError, SettingError
from structron.settings import settings_of
from structron.tasks.pipeline import SPEC
from structron.tasks.pipeline.estimator import Pipeline

if TYPE_CHECKING:
    from structron.tasks.pipeline.names.data import Item

HELP = f"""{SPEC.help}

Stages: segmenter, upos, xpos, feats, lemma, parser, names. Each is learned from what those before it
predict; a column that is empty in TRAIN is left out, and so are names without --names. What is finished is
kept in MODEL.checkpoint; --resume continues.
"""


@click.command(
    "pipeline",
    cls=LongHelp,
    basic=("dev", "output", "prefer", "clusters", "text", "stages", "threads", "resume"),
    short_help=SPEC.help,
    help=HELP,
)
@click.argument("train", nargs=-1, required=True, metavar="TRAIN...|-")
@click.option("--dev", metavar="DEV", help="Development data: each stage keeps its best epoch on it.")
@click.option("-o", "--output", required=True, metavar="MODEL", help="The model file to write.")
@streams.formats_option(("conllu",))
@streams.encoding_option
@streams.skip_option
@streams.threads_option
@click.option("--resume", is_flag=True, help="Continue from MODEL.checkpoint.")
@click.option("--restart", is_flag=True, help="Start again even if there is a MODEL.checkpoint.")
@click.option(
    "--checkpoint",
    "minutes",
    type=float,
    default=5.0,
    metavar="MINUTES",
    help="Minutes between checkpoints within a long stage; 0 writes none  [5]",
)
def train_pipeline(
    train: tuple[str, ...],
    dev: str | None,
    output: str,
    format_name: str | None,
    encoding: str,
    skip_bad: bool,
    threads: int,
    resume: bool,
    restart: bool,
    minutes: float,
    **given: Any,
) -> int:
    """Read the data, train and save; refuse whatever can be refused before the data are read."""
    from structron.cli.commands.training import RESUME, resumes
    from structron.cli.files.examples import labelled
    from structron.fit import Checkpoint
    from structron.io.files.atomic_write import WriteLock

    settings = {name: value for name, value in given.items() if value is not None}
    if output == "-":
        raise SettingError("-o -: a model cannot go to standard output; name a file")
    places, dev_places = files_meant((), train, dev)
    outputs = {"-o": output, "the checkpoint": f"{output}.checkpoint"}
    named = _files(settings.pop("names", "none"))
    lists = {f"--{name}": _files(settings.get(name, "none")) for name in ("clusters", "gazetteers", "text")}
    read = {"TRAIN": places, "--dev": dev_places, "--names": named, **lists}
    refuse_overlap(outputs, read)
    check_places(output, None)
    if "stages" in settings:
        settings["stages"] = tuple(settings["stages"].replace(" ", "").split(","))
    pipeline = Pipeline(**settings, threads=threads)
    pipeline.check()
    shown = registry.cli_of(Pipeline.kind)
    reading = task_cli.Reading(format_name, None, skip_bad, encoding)
    checkpoint = Checkpoint(f"{output}.checkpoint", minutes or 1.0, partial(click.echo, err=True))
    with WriteLock(output, ModelError):
        resumed = resumes(checkpoint, resume, restart, minutes)
        data = labelled(shown, places, reading, {})
        pipeline.names = _names(named, reading) if named else "none"
        held_out = None if dev_places is None else labelled(shown, dev_places, reading, {})
        try:
            _fit(pipeline, data, held_out, checkpoint if minutes else None, resumed)
        except KeyboardInterrupt:
            if checkpoint.path.exists():
                click.echo(RESUME.format(checkpoint.path), err=True)
            raise
        _save(pipeline, output, checkpoint.path)
    return 0


def _files(listed: str) -> tuple[str, ...]:
    return () if listed == "none" else tuple(listed.split(","))


def _save(pipeline: Pipeline, output: str, checkpoint: Path) -> None:
    """Write the model, and remove what a finished training no longer needs."""
    from structron.io.files.atomic_write import remove_parts

    pipeline.save(output)
    remove_parts(output)
    for left in (checkpoint, *Path(output).absolute().parent.glob(f"{checkpoint.name}.*")):
        left.unlink(missing_ok=True)
    _print_saved(pipeline, output)


def _names(places: tuple[str, ...], reading: task_cli.Reading) -> list[Item]:
    """Read labelled names, and say how many there are."""
    from structron.io import Report
    from structron.tasks.pipeline.names.data import read_names

    found: list[Item] = []
    for place in places:
        report = Report()
        own = list(read_names(place, reading.encoding, skip_bad=reading.skip_bad, report=report))
        click.echo(f"{place}: {counted(len(own), 'sentences or texts')} with names", err=True)
        if said := streams.left_out(report, place):
            click.echo(said, err=True)
        found += own
    return found


def _print_saved(pipeline: Pipeline, output: str) -> None:
    weights = sum(len(part.rows.weights) for part in pipeline.model_.parts.values())
    click.echo(
        f"model saved: {output} ({size(Path(output).stat().st_size)}; stages {', '.join(pipeline.stages_)}, "
        f"{counted(weights, 'weights')})",
        err=True,
    )


def _fit(pipeline, data, held_out, checkpoint, resume) -> None:  # type: ignore[no-untyped-def]
    """Train and show progress."""
    from structron.cli.terminal.progress import watching

    with watching(pipeline.parser_epochs) as watcher:
        pipeline.fit(
            data,
            dev=held_out,
            on_stage=watcher.stage,
            on_epoch=watcher.epoch,
            checkpoint=checkpoint,
            resume=resume,
        )


train_pipeline.params += [option(each) for name, each in settings_of(Pipeline).items() if name != "threads"]
COMMAND = train_pipeline
