"""``structron demo``: the toolkit on data that it makes itself."""

from __future__ import annotations

from pathlib import Path

import click

from structron.cli.command_list import HELP
from structron.errors import SettingError


@click.command(short_help=HELP["demo"])
@click.option(
    "--output", default="demo-output", metavar="DIR", show_default=True, help="Where to save everything."
)
@click.option(
    "--sentence",
    metavar="TEXT",
    help="English text to begin with; without it a terminal asks, and elsewhere an example is used.",
)
@click.option("--quick", is_flag=True, hidden=True, help="A tiny run, for tests.")
def demo(output: str, sentence: str | None, quick: bool) -> None:
    """Parse a sentence of yours, then train on an ambiguous treebank and watch gold fall off the beam.

    Compares standard, early and max-violation updates at several beam widths, draws Figures 3 and 4 of Huang,
    Fayong & Guo (2012) for this data, and shows one sentence's beam step by step.
    """
    if Path(output).exists() and not Path(output).is_dir():
        raise SettingError(f"{output}: this is a file; name a folder for --output")
    from structron.demo.acts import FULL, TINY, Demonstration
    from structron.demo.opening import USUAL, opening

    opening(USUAL if quick and sentence is None else sentence)
    Demonstration(Path(output), TINY if quick else FULL).run()
