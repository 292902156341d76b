"""``structron train pipeline``: all stages from one treebank, into one model file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from structron import registry
from structron.cli import task_cli
from structron.cli.command_list import LongHelp
from structron.cli.files import streams
from structron.cli.files.places import check_places, refuse_overlap
from structron.cli.terminal.counting import counted, size
from structron.cli.terminal.settings import files_meant
from structron.errors import ModelError, SettingError
from structron.tasks.pipeline import SPEC

if TYPE_CHECKING:
    from structron.tasks.pipeline.estimator import Pipeline

INTERRUPTED = 130
NAMES = ("speed", "balance", "accuracy")
OLD_WORDS = {"fast": "speed", "accurate": "accuracy"}
HELP = f"""{SPEC.help}

Stages: segmenter, upos, xpos, feats, lemma, parser. Each is learned from what those before it predict; a
column that is empty in TRAIN is left out. What is finished is kept in MODEL.checkpoint; --resume continues.
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
@click.option(
    "--prefer",
    type=click.Choice(NAMES),
    help="What matters most: speed, balance or accuracy  [balance]",
)
@click.option(
    "--settings",  # what --prefer was called before
    "old_preference",
    type=click.Choice((*NAMES, *OLD_WORDS)),
    hidden=True,
)
@click.option(
    "--clusters",
    metavar="FILE",
    default="none",
    help="Word clusters for taggers and parser, from structron cluster.",
)
@click.option(
    "--text",
    metavar="FILES",
    default="none",
    help="Raw text, from which the segmenter learns abbreviations; commas between files.",
)
@click.option("--stages", metavar="NAMES", help="The stages to train, such as upos,feats,lemma  [all]")
@click.option(
    "--folds", type=click.IntRange(min=2), default=5, metavar="N", help="Number of parts for jackknifing  [5]"
)
@click.option("--seed", type=int, default=0, metavar="N", help="Random seed  [0]")
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
    prefer: str | None,
    old_preference: str | None,
    clusters: str,
    text: str,
    stages: str | None,
    folds: int,
    seed: int,
    format_name: str | None,
    encoding: str,
    skip_bad: bool,
    threads: int,
    resume: bool,
    restart: bool,
    minutes: float,
) -> int:
    """Read the data, train and save; refuse whatever can be refused before the data are read."""
    from structron.cli.commands.training import RESUME, resumes
    from structron.cli.files.examples import labelled
    from structron.fit import Checkpoint
    from structron.io.files.atomic_write import WriteLock, remove_parts
    from structron.tasks.pipeline.estimator import Pipeline
    from structron.tasks.pipeline.task import STAGES

    if old_preference is not None:
        click.echo("warning: --settings is called --prefer now: speed, balance or accuracy", err=True)
        prefer = prefer or OLD_WORDS.get(old_preference, old_preference)
    if output == "-":
        raise SettingError("-o -: a model cannot go to standard output; name a file")
    places, dev_places = files_meant((), train, dev)
    outputs = {"-o": output, "the checkpoint": f"{output}.checkpoint"}
    own = None if clusters == "none" else clusters
    refuse_overlap(outputs, {"TRAIN": places, "--dev": dev_places, "--clusters": own})
    check_places(output, None)
    wanted = tuple(stages.replace(" ", "").split(",")) if stages else STAGES
    how = {"clusters": clusters, "text": text, "folds": folds, "seed": seed, "threads": threads}
    pipeline = Pipeline(stages=wanted, prefer=prefer or "balance", **how)  # type: ignore[arg-type]
    pipeline.check()
    shown = registry.cli_of(Pipeline.kind)
    reading = task_cli.Reading(format_name, None, skip_bad, encoding)
    checkpoint = Checkpoint(f"{output}.checkpoint", minutes or 1.0, partial(click.echo, err=True))
    with WriteLock(output, ModelError):
        resumed = resumes(checkpoint, resume, restart, minutes)
        data = labelled(shown, places, reading, {})
        held_out = None if dev_places is None else labelled(shown, dev_places, reading, {})
        try:
            _fit(pipeline, data, held_out, checkpoint if minutes else None, resumed)
        except KeyboardInterrupt:
            if checkpoint.path.exists():
                click.echo(RESUME.format(checkpoint.path), err=True)
            raise
        pipeline.save(output)
        remove_parts(output)
        for left in (checkpoint.path, *Path(output).absolute().parent.glob(f"{checkpoint.path.name}.*")):
            left.unlink(missing_ok=True)
    _print_saved(pipeline, output)
    return 0


def _print_saved(pipeline: Pipeline, output: str) -> None:
    weights = sum(len(part.rows.weights) for part in pipeline.model_.parts.values())
    click.echo(
        f"model saved: {output} ({size(Path(output).stat().st_size)}; stages {', '.join(pipeline.stages_)}, "
        f"{counted(weights, 'weights')})",
        err=True,
    )


def _fit(pipeline, data, held_out, checkpoint, resume) -> None:  # type: ignore[no-untyped-def]
    """Train, and show how far it is."""
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


COMMAND = train_pipeline
