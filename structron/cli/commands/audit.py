"""``structron audit``: hold a training against the theorems, update by update."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from structron import registry
from structron.cli import task_cli
from structron.cli.command_list import HELP, LongHelp
from structron.cli.files import streams
from structron.cli.files.examples import labelled
from structron.cli.files.places import check_picture, pictures, refuse_overlap
from structron.cli.task_cli import Reading
from structron.cli.terminal.counting import counted
from structron.cli.terminal.nearest import known_task
from structron.cli.terminal.settings import recipe_of
from structron.errors import DataError, SettingError
from structron.progress import report_progress

if TYPE_CHECKING:
    from structron.fit import Recipe
    from structron.io import Names

SAMPLE = 20


def _line(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    import_module("structron.demo.one_bound").show_line()  # it stands above the tasks
    context.exit()


@click.command(
    cls=LongHelp, basic=("search", "update", "learner", "sample", "plot"), short_help=HELP["audit"]
)
@click.argument("task", callback=known_task)
@click.argument("data", metavar="DATA|-...", nargs=-1, required=True)
@click.option(
    "--search",
    metavar="SEARCH",
    help="exact, greedy, beam:8, beam:8+merge, beam:8+within=20, dp:8 (parsing) or forest:4 (parsing, system "
    "graph)  [the task's own]",
)
@click.option(
    "--update",
    metavar="UPDATE",
    help="The update method: standard, early, hybrid, latest, max-violation or laso.",
)
@click.option(
    "--learner", metavar="LEARNER", help="The learner, such as perceptron, mira or swvp:single,wm,aggressive."
)
@click.option(
    "--templates", metavar="PRESET|FILE", help="auto, a preset, or a file with one template a line."
)
@click.option("--system", metavar="SYSTEM", help="The parsing system, such as graph.")
@click.option(
    "--order", type=int, metavar="N", help="Number of previous tags that features may see, 0 to 2  [2]"
)
@click.option("--recipe", metavar="FILE.toml", help="Settings from a file; options given here override it.")
@click.option("--target", metavar="COLUMN", help="The column to predict; otherwise upos, or the last one.")
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    default=SAMPLE,
    metavar="N",
    help=f"Number of examples, the shortest first: the definition is slow  [{SAMPLE}]",
)
@click.option(
    "--passes",
    type=click.IntRange(min=1),
    default=100,
    metavar="N",
    help="Maximum number of passes over the sample  [100]",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=2_000,
    metavar="N",
    help="List the outputs of an example if there are at most this many  [2000]",
)
@streams.format_option
@streams.columns_option
@streams.encoding_option
@streams.skip_option
@click.option("--plot", metavar="FILE.png", help="Draw the bounds of the proof, as PNG and as SVG.")
@click.option(
    "--line",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_line,
    help="Show a binary, a multiclass, a structured and a latent perceptron under one bound.",
)
def audit(
    task: str,
    data: tuple[str, ...],
    recipe: str | None,
    sample: int,
    passes: int,
    limit: int,
    format_name: str | None,
    columns: Names | None,
    encoding: str,
    skip_bad: bool,
    plot: str | None,
    **settings: Any,
) -> None:
    """Train on a sample of DATA by the definition, and check the run against the theorems.

    Prints radius and margin of all outputs, of mixed assignments and of the updates that were made, the
    bounds that follow, and which updates fixed no violation or had weights that the theorem does not allow.
    """
    if task not in registry.learned():
        raise SettingError(f"a {task} has stages, each of a task of its own; audit one of these, as tagging")
    streams.check_format(registry.cli_of(task).formats, format_name)
    chosen, extra = recipe_of(task, recipe, settings)
    if not chosen.learns:
        raise SettingError(
            f"with these settings {task} learns nothing by updates, and there is nothing to audit; "
            "name features with --templates"
        )
    refuse_overlap({"--plot": pictures(plot)}, {"DATA": data, "--recipe": recipe})
    check_picture(plot)
    reading = Reading(format_name, columns, skip_bad, encoding)
    spaces = _spaces(task, data, reading, chosen, extra, sample)
    from structron import theory

    audited = theory.audit(
        spaces,
        search=chosen.search_choice,
        update=chosen.update_choice.name,
        learner=str(chosen.learner_choice),
        epochs=passes,
        limit=limit,
        on_epoch=lambda epoch: report_progress("learning by the definition", epoch.epoch, passes),
    )
    click.echo(", ".join(f"{name} {value}" for name, value in audited.choices.items()))
    click.echo()
    for line in aligned(theory.table(audited)):
        click.echo(line)
    click.echo()
    for line in theory.findings(audited):
        click.echo(line)
    if plot is not None:
        drawn = theory.draw(audited, plot)
        click.echo(f"proof drawn: {' and '.join(map(str, drawn))}", err=True)


def _spaces(
    task: str, data: tuple[str, ...], reading: Reading, recipe: Recipe, extra: dict[str, Any], sample: int
) -> Any:
    """Return search spaces and oracles of the shortest examples."""
    shown = registry.cli_of(task)
    place = task_cli.place_of(shown, data, len(shown.sides), len(shown.sides))
    found = labelled(shown, place, reading, recipe.as_dict() | extra)
    # An example of a single part seldom leaves anything to decide.
    few = sorted([each for each in found if len(each) > 1] or found, key=len)[:sample]
    spaces = task_cli.new_estimator(shown, recipe, extra).spaces(*shown.split(few))
    if not spaces:
        raise DataError(
            f"{task_cli.named(place)}: none of {counted(len(few), shown.items)} has a derivation of its "
            "output; take more with --sample"
        )
    return spaces


def aligned(rows: list[list[str]]) -> list[str]:
    """Lay out a table: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        "  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths)))
        for row in rows
    ]
