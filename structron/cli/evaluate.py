"""``structron evaluate``: how good a model is on labelled data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from structron.cli import face, streams
from structron.errors import DataError

if TYPE_CHECKING:
    from structron.data import Names


@click.command(short_help="Score a model on labelled data.")
@click.argument("model", type=click.Path())
@click.argument("gold", metavar="GOLD|-")
@click.option("--json", "as_json", is_flag=True, help="One machine-readable line.")
@click.option(
    "--confusions", type=click.IntRange(min=0), default=0, metavar="N", help="The N most frequent mistakes."
)
@streams.format_option
@streams.columns_option
@streams.search_option
@streams.threads_option
@streams.skip_option
def evaluate(
    model: str,
    gold: str,
    as_json: bool,
    confusions: int,
    format_name: str | None,
    columns: Names | None,
    search: str | None,
    threads: int,
    skip_bad: bool,
) -> None:
    """Score MODEL on the labelled examples of GOLD.

    Tagging: accuracy by word and by sentence; where labels mark spans, precision, recall and F1 of spans, as
    conlleval counts them. Transduction: word and symbol error rates, where any target of a word counts.
    """
    from structron.data import Report

    task, estimator = face.load(model, search)
    estimator.threads = threads
    report = Report()
    with streams.opened(gold) as (source, stream):
        items = list(task.read(estimator, stream, face.Reading(format_name, columns, skip_bad), report))
    if said := streams.told(report, source.name):
        click.echo(said, err=True)
    if not items:
        raise DataError(f"{source.name}: there are no {task.items} to score; check the file")
    figures = task.measure(estimator, items, confusions)
    signature = dict(estimator.model_.about.get("signature", {}))
    signature["evaluated_on"] = figures.pop("evaluated_on")
    figures |= {"search": str(estimator.model_.search), "signature": signature}
    figures |= {"model": model, "gold": source.name, "left_out": report.bad}
    if as_json:
        click.echo(json.dumps(figures))
        return
    told = " · ".join(f"{name} {value}" for name, value in signature.items())
    click.echo("\n".join([*task.measured(figures), "", f"{figures['search']} · {told}"]))
