"""``structron show``: the beam for one input, step by step, or its chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from structron.cli import task_cli
from structron.cli.command_list import HELP, LongHelp
from structron.cli.files import streams
from structron.cli.files.places import check_output, refuse_overlap
from structron.cli.files.text_arguments import told
from structron.cli.task_cli import Reading
from structron.cli.terminal.request import Show

if TYPE_CHECKING:
    from structron.io import Names


@click.command(
    cls=LongHelp, basic=("gold", "input_places", "sentence", "search", "top", "svg"), short_help=HELP["show"]
)
@click.argument("model", type=click.Path())
@click.argument("words", metavar='["SOME WORDS"]', required=False)
@click.option("--gold", metavar='"GOLD"', help="The gold output; words may also come as word/tag.")
@click.option(
    "--input",
    "input_places",
    multiple=True,
    metavar="FILE",
    help="Take a gold example from a file; for parallel text give both files.",
)
@click.option(
    "--sentence",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Which example of the file; for a pipeline with --svg, which sentence of the text  [1]",
)
@streams.search_option
@click.option(
    "--steps/--no-steps", default=True, help="Show the beam (or cell) of every step, or the overview alone."
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=8,
    metavar="N",
    help="Number of items shown of each beam  [8]",
)
@click.option("--svg", metavar="FILE.svg", help="Draw the tree as a picture; - prints that alone.")
@streams.format_option
@streams.columns_option
@streams.encoding_option
def show(
    model: str,
    words: str | None,
    gold: str | None,
    input_places: tuple[str, ...],
    sentence: int,
    search: str | None,
    steps: bool,
    top: int,
    svg: str | None,
    format_name: str | None,
    columns: Names | None,
    encoding: str,
) -> None:
    """Show how MODEL decodes one input: what is in the beam at each step, with scores.

    Give the gold output to see where it falls off the beam, and at which step each update method would fix
    it. For a model that searches a chart, show the cells that gold passes through, or without gold those of
    the best tree.
    """
    if (words is None) == (not input_places):
        raise click.UsageError("give the words of a sentence, or --input FILE")
    refuse_overlap({"--svg": svg}, {"MODEL": model, "--input": input_places})
    check_output("--svg", svg, (".svg",))
    task, estimator = task_cli.load(model, search)
    words = words and told(words)
    reading = Reading(format_name, columns, encoding=encoding)
    if input_places:
        task_cli.place_of(task, input_places, 1)
    first = input_places[0] if input_places else None
    request = Show(words, gold, first, sentence, reading, steps, top, svg, input_places[1:])
    for line in task.show(estimator, request):
        click.echo(line)
