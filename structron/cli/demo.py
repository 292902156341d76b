"""``structron demo``: what the toolkit is about, on data it makes itself."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(short_help="See what it does, in about a minute; needs no data.")
@click.option(
    "--output", default="demo-output", metavar="DIR", show_default=True, help="Where to save everything."
)
@click.option("--quick", is_flag=True, hidden=True, help="A tiny run, for tests.")
def demo(output: str, quick: bool) -> None:
    """Train on a small ambiguous treebank and see gold fall off the beam.

    Compares standard, early and max-violation updates at several beam widths, draws Figures 3 and 4 of Huang,
    Fayong & Guo (2012) for this data, and shows one sentence's beam step by step.
    """
    from structron.cli.demonstration import FULL, TINY, Demonstration

    Demonstration(Path(output), TINY if quick else FULL).run()
