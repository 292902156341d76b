"""``structron select``: the examples to annotate next, where the model is least sure (active learning)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from structron.cli import task_cli
from structron.cli.command_list import HELP, LongHelp
from structron.cli.files import streams
from structron.cli.files.output_formats import formatting
from structron.cli.files.places import check_output, refuse_overlap
from structron.cli.task_cli import Reading
from structron.cli.terminal.counting import counted
from structron.errors import DataError

if TYPE_CHECKING:
    from structron.io import Names

WAYS = ("parts", "whole")


@click.command(cls=LongHelp, basic=("budget", "by", "output", "threads"), short_help=HELP["select"])
@click.argument("model", type=click.Path())
@click.argument("pool", metavar="POOL|-")
@click.option(
    "--budget", type=click.IntRange(min=1), default=100, metavar="N", help="Number of examples  [100]"
)
@click.option(
    "--by",
    type=click.Choice(WAYS),
    default="parts",
    help="Rank by the mean over words, which does not favour long sentences, or by the whole output  [parts]",
)
@click.option("-o", "--output", default="-", help="File to write; otherwise standard output.")
@click.option(
    "--output-format",
    metavar="FORMAT",
    help="For a pipeline: json, text, html, or names with offsets for prodigy, doccano or label-studio, a "
    "sentence a line  [conllu]",
)
@streams.format_option
@streams.columns_option
@streams.encoding_option
@streams.search_option
@streams.threads_option
@streams.skip_option
def select(
    model: str,
    pool: str,
    budget: int,
    by: str,
    output: str,
    output_format: str | None,
    format_name: str | None,
    columns: Names | None,
    encoding: str,
    search: str | None,
    threads: int,
    skip_bad: bool,
) -> None:
    """List the examples of POOL that MODEL is least sure of, the least sure first.

    They are written with the model's predictions, ready to be corrected. A model is sure if its best output
    is far ahead of all that decide otherwise (margin sampling: Scheffer et al. 2001); it need not be
    calibrated. For a pipeline the last stage decides: the parser, if there is one.
    """
    from structron.io import Encoding, Report

    check_output("-o", output)
    refuse_overlap({"-o": output}, {"MODEL": model, "POOL": pool})
    task, estimator = task_cli.load(model, search)
    shown = None if output_format is None else formatting(task, output_format)
    estimator.threads = threads
    reading = Reading(format_name, columns, skip_bad, Encoding(encoding), blanks=True)
    report = Report()
    with streams.opened(pool) as (source, stream):
        items = list(task.read(estimator, stream, reading, report))
        name = source.name
    if isinstance(task, task_cli.Staged):
        items = xs = list(task.inputs(estimator, items))  # the sentences of the text
    else:
        pairs = [(item, x) for item in items for x in task.inputs(estimator, [item]) if len(x)]
        items, xs = [item for item, _ in pairs], [x for _, x in pairs]
    if said := streams.left_out(report, name):
        click.echo(said, err=True)
    if not items:
        raise DataError(f"{name}: there are no {task.items} to choose from; check the file")
    margins = estimator.margins(xs)
    if isinstance(margins, dict):  # of a pipeline; its last stage has seen what all others found
        margins = list(margins.values())[-1]
    sure = [each.mean if by == "parts" else each.whole for each in margins]
    chosen = sorted(range(len(items)), key=lambda i: (sure[i], i))[:budget]
    found = list(task.predicted(estimator, [items[i] for i in chosen], None))
    if shown is not None and output_format is not None:
        found = [shown.opening(output_format), *shown.formatted(found, output_format)]
    task.write(found, sys.stdout.buffer if output == "-" else output)
    parts = sum(len(items[i]) for i in chosen)
    click.echo(
        f"selected {len(chosen):,} of {counted(len(items), task.items)}, {counted(parts, task.parts)}, "
        "least sure first",
        err=True,
    )
