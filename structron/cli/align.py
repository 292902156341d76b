"""``structron align``: cut pairs into the pieces that belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from structron.cli import streams
from structron.cli.counting import counted
from structron.cli.places import refuse_overlap
from structron.data.notation import WAYS
from structron.errors import DataError

if TYPE_CHECKING:
    from structron.data import Encoding

PAIR_FORMATS = ("tsv", "counted", "cmudict")

symbols_options = (
    click.option(
        "--source-symbols", type=click.Choice(WAYS), help="How to split the source into symbols  [characters]"
    ),
    click.option(
        "--target-symbols",
        type=click.Choice(WAYS),
        help="How to split the target into symbols  [blanks, if a target has any; otherwise characters]",
    ),
)


@click.command(short_help="Align pairs, such as words and their sounds, by EM.")
@click.argument("pairs", metavar="PAIRS|-")
@click.option("-o", "--output", default="-", help="File to write; otherwise standard output.")
@click.option("--inventory", metavar="FILE", help="Also write all pieces with their counts.")
@click.option(
    "--least",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Pieces seen fewer times are left out of it  [1]",
)
@click.option(
    "--source", type=click.IntRange(1, 15), default=2, metavar="M", help="Most source symbols of a piece  [2]"
)
@click.option(
    "--target", type=click.IntRange(1, 15), default=2, metavar="N", help="Most target symbols of a piece  [2]"
)
@click.option("--no-deletions", is_flag=True, help="No source symbol stands for nothing.")
@click.option("--both", is_flag=True, help="Both sides of a piece may have several symbols.")
@click.option(
    "--maximise",
    type=click.Choice(["joint", "target-given-source", "source-given-target"]),
    default="joint",
    help="What a piece's weight is a share of  [joint]",
)
@click.option(
    "--iterations", type=click.IntRange(min=1), default=20, metavar="N", help="Most iterations of EM  [20]"
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(PAIR_FORMATS),
    help="Format of PAIRS; otherwise inferred from its first lines.",
)
@symbols_options[0]
@symbols_options[1]
@streams.encoding_option
@streams.skip_option
def align(
    pairs: str,
    output: str,
    inventory: str | None,
    least: int,
    source: int,
    target: int,
    no_deletions: bool,
    both: bool,
    maximise: str,
    iterations: int,
    format_name: str | None,
    source_symbols: str | None,
    target_symbols: str | None,
    encoding: str,
    skip_bad: bool,
) -> None:
    """Align the PAIRS of a file (source TAB target, or CMUdict); no other knowledge is needed.

    Writes one pair a line in pieces, p|h}F o}OW n}N e}_, as joint n-gram tools read them. Pairs that cannot
    be aligned are left out and counted.
    """
    from structron.data import Encoding, Report
    from structron.data.aligned import write_aligned
    from structron.data.notation import Notation
    from structron.data.pairs import read_pairs
    from structron.tasks.transduction.alignment import Aligner

    refuse_overlap({"-o": output, "--inventory": inventory}, {"PAIRS": pairs})
    how = Encoding(encoding)
    aligner = Aligner(source, target, not no_deletions, both, maximise.replace("-", "_"), iterations)
    report = Report()
    found = [
        (pair.source, text)
        for pair in read_pairs(pairs, format=format_name, skip_bad=skip_bad, report=report, encoding=how)
        for text in pair.targets
    ]
    name = "stdin" if pairs == "-" else pairs
    if said := streams.left_out(report, name):
        click.echo(said, err=True)
    if not found:
        raise DataError(f"{name}: there are no pairs to align; check the file")
    notation = Notation.inferred((text for _, text in found), source_symbols, target_symbols)
    aligned = aligner.align(
        [(notation.symbols_of_source(x), notation.symbols_of_target(y)) for x, y in found]
    )
    pieces = (aligned.pieces(i) for i in range(len(aligned)))
    write_aligned((each for each in pieces if each is not None), output, how)
    counts = aligned.inventory(least)
    if inventory is not None:
        _write_inventory(counts, inventory, how)
    gained = f"log-likelihood {aligned.likelihoods[-1] / len(aligned):.3f} a pair"
    click.echo(
        f"{name}: aligned {int((aligned.status == 0).sum()):,} of {len(aligned):,} pairs, "
        f"{counted(len(counts), 'pieces')}; {counted(len(aligned.likelihoods), 'iterations')}, {gained}",
        err=True,
    )
    if left := aligned.left_out():
        click.echo(f"{name}: {left}", err=True)


def _write_inventory(
    counts: dict[tuple[tuple[str, ...], tuple[str, ...]], int], place: str, encoding: Encoding
) -> None:
    from structron.data.aligned import render_piece
    from structron.data.files import writing

    with writing(place, encoding) as put:
        for piece, count in counts.items():
            put(f"{render_piece(piece)}\t{count}\n")
