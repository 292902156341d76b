"""``structron train``: learn a model from labelled data; a command for each task, with its own settings."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from structron import registry
from structron.cli import task_cli
from structron.cli.command_list import HELP
from structron.cli.task_cli import Reading
from structron.cli.terminal import streams
from structron.cli.terminal.confidence import calibrate_option, check_calibrate
from structron.cli.terminal.counting import counted, size
from structron.cli.terminal.examples import labelled, streamed_files
from structron.cli.terminal.places import Places, check_places, pictures, refuse_overlap
from structron.cli.terminal.settings import (
    as_flags,
    declared,
    elsewhere,
    files_meant,
    files_of,
    flag,
    option,
    recipe_of,
    templates_file,
)
from structron.cli.terminal.standard import catch_signals
from structron.errors import ModelError, SettingError

if TYPE_CHECKING:
    from structron.cli.task_cli import AnyTaskCLI
    from structron.fit import Checkpoint, Cluster, Recipe
    from structron.fit.estimator import AnyEstimator
    from structron.io import Names

Data = tuple[Iterable[Any], Sequence[Any] | None]  # inputs, and outputs if they come apart

INTERRUPTED = 130
RESUME = "{}: run the same command with --resume to continue"
SECTIONS = ("Files and the run", "Settings of every task", "Settings of {task}")
RUN = (
    click.option("-o", "--output", required=True, metavar="MODEL", help="The model file to write."),
    click.option("--recipe", metavar="FILE.toml", help="Settings from a file; flags override the file."),
    streams.columns_option,
    streams.encoding_option,
    streams.skip_option,
    streams.threads_option,
    click.option(
        "--ray",
        metavar="ADDRESS",
        help="Train on a Ray cluster: auto, host:port, or local to start one here (needs Ray).",
    ),
    # What --ray was called before: one letter away from --clusters, which is about words.
    click.option("--cluster", "old_ray", metavar="ADDRESS", hidden=True),
    click.option(
        "--stream",
        metavar="FOLDER",
        help="Pack the data into FOLDER once, and learn from it piece by piece: for more data than memory, "
        "with --bits.",
    ),
    click.option(
        "--workers", type=int, metavar="N", help="How many workers of the Ray cluster take part  [2]"
    ),
    click.option(
        "--resume",
        is_flag=True,
        help="Continue from MODEL.checkpoint, which training leaves when it is interrupted or killed; with "
        "more --epochs than before, training is extended.",
    ),
    click.option("--restart", is_flag=True, help="Start again even if there is a MODEL.checkpoint."),
    click.option(
        "--checkpoint",
        "minutes",
        type=float,
        default=5.0,
        metavar="MINUTES",
        help="Minutes between checkpoints within an epoch, besides the one after each; 0 writes none  [5]",
    ),
    click.option(
        "--keep-checkpoint",
        "keep",
        is_flag=True,
        help="Keep the checkpoint after the last epoch, to extend training later.",
    ),
    click.option("--plot", metavar="FILE.png", help="Draw the training curves, as PNG and as SVG."),
    calibrate_option,
)
CTRL_C = (
    "Defaults are the good choice. Ctrl-C ends training and saves the best model so far as "
    "MODEL.interrupted; --resume continues."
)
COLUMNS = """\b
The table of epochs:
  errors    examples that were not right, or right by less than the margin
  updates   how often the weights were changed
  invalid   updates that fixed no violation; share: how many of all updates
  early     updates on a part of an output, from its beginning
  dev       score on DEV in per cent: accuracy, F1, LAS, BLEU …
"""


class TaskCommand(click.Command):
    """Training for one task: options in sections; an option of another task is refused with its name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As ever; but an option that another task has is not simply unknown."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            said = elsewhere(error.option_name, str(self.name))
            if said.startswith("there is no"):
                raise
            raise click.UsageError(said, ctx) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options of each section."""
        shared, own = declared(str(self.name))
        found: list[list[tuple[str, str]]] = [[], [], []]
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                found[1 if param.name in shared else 2 if param.name in own else 0].append(record)
        for title, rows in zip(SECTIONS, found):
            if rows:
                with formatter.section(title.format(task=self.name)):
                    formatter.write_dl(rows)


class Tasks(click.Group):
    """A command for each task, made when it is asked for: `--help` does not wait for the engine."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All tasks."""
        return list(registry.trained())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Training for a task."""
        return training(cmd_name) if cmd_name in registry.trained() else None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The task may follow options: ``train --epochs 3 tagging …``."""
        for at, word in enumerate(args):
            if word in registry.trained() and not (at and _takes_value(training(word), args[at - 1])):
                return super().parse_args(ctx, [word, *args[:at], *args[at + 1 :]])
        if args and args[0].startswith("-") and not {"-h", "--help"} & set(args):
            raise click.UsageError(f"name a task: {', '.join(registry.trained())}", ctx)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """One of the tasks there are, or a sentence that lists them."""
        task_cli.known_task(ctx, click.Argument(["task"]), args[0])
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The tasks with a line each."""
        with formatter.section("Tasks"):
            formatter.write_dl(list(registry.trained().items()))


def _takes_value(command: click.Command, word: str) -> bool:
    return any(
        isinstance(each, click.Option) and not each.is_flag and word in each.opts for each in command.params
    )


@click.group(
    cls=Tasks,
    short_help=HELP["train"],
    options_metavar="",
    help=f"Learn TASK from TRAIN and write MODEL.\n\n{CTRL_C}",
    subcommand_metavar="TASK TRAIN -o MODEL [OPTIONS]",
    epilog="""\b
The most common options; structron train TASK --help lists all:
  --dev DEV          keep the epoch that is best on DEV
  -o MODEL           the model file to write
  --epochs N         passes over the data
  --search SEARCH    greedy, beam:8, ...
  --templates FILE   a ready set of features, or a file of your own
  --threads N        together with --batch N or --shards N
  --recipe FILE      settings from a file
  --resume           continue after an interruption, or add epochs
  --plot FILE.png    draw the training curves""",
)
def train() -> None:
    """Learn TASK from TRAIN and write MODEL."""


def training(task: str) -> click.Command:
    """The command that trains for a task, or a pipeline."""
    spec = registry.spec_of(task)
    if spec.train_command:
        command: click.Command = spec.load("train_command")
        return command
    decorated: Callable[..., int] = partial(learn, task)
    formats = streams.formats_option(registry.cli_of(task).formats)
    for decorate in reversed((*files_of(task), *RUN[:2], formats, *RUN[2:])):
        decorated = decorate(decorated)
    made = click.command(
        task,
        cls=TaskCommand,
        short_help=spec.help,
        help=f"{spec.help}\n\n{CTRL_C}",
        epilog=COLUMNS,
    )(decorated)
    for settings in declared(task):
        made.params += map(option, settings.values())
    return made


def learn(
    task: str,
    train: tuple[str, ...],
    dev: str | tuple[str, ...] | None,
    output: str,
    recipe: str | None,
    format_name: str | None,
    columns: Names | None,
    encoding: str,
    skip_bad: bool,
    plot: str | None,
    calibrate: bool,
    resume: bool,
    restart: bool,
    minutes: float,
    keep: bool,
    threads: int,
    ray: str | None,
    old_ray: str | None,
    workers: int | None,
    stream: str | None = None,
    references: tuple[str, ...] = (),
    **settings: Any,
) -> int:
    """Everything that can be refused is refused before the data are read; then read, train and save."""
    from structron.fit import Checkpoint
    from structron.io.files.atomic_write import Writer, remove_parts

    train, dev = files_meant(registry.cli_of(task).sides, train, dev)
    dev = _with_references(dev, references)
    inputs: dict[str, Places] = {"TRAIN": train, "--dev": dev, "--recipe": recipe}
    inputs |= _files_named(task, settings)
    inputs["--templates"] = templates_file(settings.get("templates"), task)
    _refuse_overlap(output, plot, inputs)
    chosen, extra = recipe_of(task, recipe, settings)
    check_places(output, plot)
    if calibrate:
        check_calibrate(task, dev)
    checkpoint = Checkpoint(f"{output}.checkpoint", minutes or 1.0, partial(click.echo, err=True))
    with Writer(output, ModelError):
        resumed = resumes(checkpoint, resume, restart, minutes)
        place = _cluster(_address(ray, old_ray), workers, chosen)
        _hint_at_threads(chosen, threads, place)
        shown = registry.cli_of(task)
        reading = Reading(format_name, columns, skip_bad, encoding)
        every = chosen.as_dict() | extra
        data = (
            shown.split(labelled(shown, train, reading, every))
            if stream is None
            else (streamed_files(shown, train, reading, every), None)
        )
        held_out = None if dev is None else shown.split(labelled(shown, dev, reading, every))
        estimator = task_cli.new_estimator(shown, chosen, extra)
        estimator.threads = threads
        written = checkpoint if minutes else None
        finished = _fit(estimator, data, held_out, chosen.epochs, written, resumed, place, stream)
        if calibrate and finished and held_out is not None:
            estimator.calibrate(*held_out)
        unfinished = Path(f"{output}.interrupted")
        _save(shown, estimator, Path(output) if finished else unfinished, checkpoint)
        given = {name: value for name, value in settings.items() if value is not None}
        if settled := estimator.model_.about.get("settled"):
            words = ["structron", "train", task, *train, *_dev_words(dev), "-o", output]
            words += ["--recipe", recipe] if recipe else []
            words += ["--format", format_name] if format_name else []
            repeated = {name: v for name, v in given.items() if name not in ("prefer", "trials")} | settled
            said = shlex.join([*words, *as_flags(task, repeated)])
            click.echo(f"settings chosen; the same again: {said}", err=True)
        if finished:
            remove_parts(output)
            if not keep:
                checkpoint.remove()
            if resumed:
                unfinished.unlink(missing_ok=True)
        if plot is not None and estimator.history_:
            from structron.cli.draw.plots import training_curves

            drawn = training_curves(estimator.history_, Path(plot))
            click.echo(f"curves drawn: {' and '.join(map(str, drawn))}", err=True)
    return 0 if finished else INTERRUPTED


def _files_named(task: str, settings: Mapping[str, Any]) -> dict[str, Places]:
    """Return the files that settings name, each by its option."""
    return {
        flag(name): settings.get(name)
        for group in declared(task)
        for name, each in group.items()
        if each.about.metavar == "FILE"
    }


def _dev_words(dev: str | tuple[str, ...] | None) -> list[str]:
    return [] if dev is None else ["--dev", *([dev] if isinstance(dev, str) else dev)]


def _with_references(
    dev: str | tuple[str, ...] | None, references: tuple[str, ...]
) -> str | tuple[str, ...] | None:
    """Development data whose sources have several references."""
    if not references:
        return dev
    if not isinstance(dev, tuple):
        raise SettingError("--reference is another reference of --dev; give --dev SRC TGT first")
    return (*dev, *references)


def _refuse_overlap(output: str, plot: str | None, inputs: dict[str, Places]) -> None:
    """All that training writes, against all that it reads."""
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
    """Whether there is a checkpoint to continue from; it is never discarded unless the user says so."""
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


def _address(ray: str | None, old: str | None) -> str | None:
    """Return where the Ray cluster is, by the option's name of today or of before."""
    if old is None:
        return ray
    if ray is not None:
        raise SettingError("--cluster is what --ray was called before; leave it out")
    click.echo("warning: --cluster is called --ray now; --clusters is about words", err=True)
    return old


def _cluster(address: str | None, workers: int | None, recipe: Recipe) -> Cluster | None:
    """Where to train, if not here; asked for now and not after the data have been read."""
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
