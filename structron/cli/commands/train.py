"""``structron train``: learn a model from labelled data; a command for each task, with its own settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from structron import registry
from structron.cli.command_list import HELP, LongHelp
from structron.cli.commands.training import learn
from structron.cli.files import streams
from structron.cli.files.reading import Reading
from structron.cli.terminal.confidence import calibrate_option
from structron.cli.terminal.nearest import known_task
from structron.cli.terminal.renamed_option import RenamedOption
from structron.cli.terminal.settings import (
    declared,
    elsewhere,
    files_of,
    help_of,
    option,
)

if TYPE_CHECKING:
    from structron.io import Names

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
        cls=RenamedOption,
        old_name="--cluster",
        metavar="ADDRESS",
        help="Train on a Ray cluster: auto, host:port, or local to start one here.",
    ),
    click.option(
        "--stream",
        metavar="FOLDER",
        help="Pack the data into FOLDER once, and learn from it piece by piece: for more data than memory, "
        "with --bits.",
    ),
    click.option("--workers", type=int, metavar="N", help="Number of workers of the Ray cluster  [2]"),
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
BRIEF = {
    "dev": "Development data: keep the epoch that is best on it.",
    "threads": "Number of threads  [1]",
    "resume": "Continue after an interruption, or add epochs.",
    "plot": "Draw the training curves.",
}
"""What `--help` shows of the run, with the output and the recipe, in few words."""
CTRL_C = (
    "The defaults are good choices. Ctrl-C ends training and saves the best model so far as "
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


class TaskCommand(LongHelp):
    """The training command of a task, whose help has sections; options of other tasks are refused by name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse options; for an unknown one, name the task that has it."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            said = elsewhere(error.option_name, str(self.name))
            if said.startswith("there is no"):
                raise
            raise click.UsageError(said, ctx) from None

    def is_basic(self, param: click.Parameter) -> bool:
        """Return whether most people need an option."""
        shared, own = declared(str(self.name))
        about = {**shared, **own}.get(str(param.name))
        return super().is_basic(param) if about is None else about.about.basic

    def brief(self, param: click.Option) -> str | None:
        """Return the help of an option without what `--help-all` says besides."""
        shared, own = declared(str(self.name))
        known = {**shared, **own}.get(str(param.name))
        return BRIEF.get(str(param.name)) if known is None else help_of(known, brief=True)

    def format_all_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in sections."""
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
        """Return all tasks."""
        return list(registry.trained())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command that trains for a task."""
        return training(cmd_name) if cmd_name in registry.trained() else None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Accept options before the task: ``train --epochs 3 tagging …``."""
        for at, word in enumerate(args):
            if word in registry.trained() and not (at and _takes_value(training(word), args[at - 1])):
                return super().parse_args(ctx, [word, *args[:at], *args[at + 1 :]])
        if args and args[0].startswith("-") and not {"-h", "--help"} & set(args):
            raise click.UsageError(f"name a task: {', '.join(registry.trained())}", ctx)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command of a task; refuse an unknown task with a list of all."""
        known_task(ctx, click.Argument(["task"]), args[0])
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each task with its line."""
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
The most common options; structron train TASK --help-all lists all:
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
    """Return the command that trains for a task, or a pipeline."""
    spec = registry.spec_of(task)
    if spec.train_command:
        command: click.Command = spec.load("train_command")
        return command
    decorated: Callable[..., int] = partial(_learn, task)
    formats = streams.formats_option(registry.cli_of(task).formats)
    for decorate in reversed((*files_of(task), *RUN[:2], formats, *RUN[2:])):
        decorated = decorate(decorated)
    made = click.command(
        task,
        cls=TaskCommand,
        basic=("output", "recipe", *BRIEF),
        short_help=spec.help,
        help=f"{spec.help}\n\n{CTRL_C}",
        epilog=COLUMNS,
    )(decorated)
    for settings in declared(task):
        made.params += map(option, settings.values())
    return made


def _learn(
    task: str, format_name: str | None, columns: Names | None, encoding: str, skip_bad: bool, **given: Any
) -> int:
    return learn(task, Reading(format_name, columns, skip_bad, encoding), **given)
