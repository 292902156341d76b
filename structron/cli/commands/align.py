"""``structron align``: cut pairs into the pieces that belong together, or link the words of two texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from structron.alignment.symmetrisation import METHODS
from structron.cli.command_list import HELP, LongHelp
from structron.cli.files import streams
from structron.cli.files.places import check_output, refuse_overlap
from structron.cli.terminal.counting import counted
from structron.cli.terminal.renamed_option import RenamedOption
from structron.errors import DataError
from structron.io.values.notation import WAYS
from structron.progress import report_progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from structron.alignment.pairs import Aligner, Alignment
    from structron.io import Encoding

PAIR_FORMATS = ("tsv", "counted", "cmudict")
_ALWAYS = ("output", "encoding", "save", "model")
_LEARNING = ("source", "target", "no_deletions", "both", "maximise", "iterations", "links", "symmetrise")
_BITEXT = ("bitext", "links", "symmetrise", "threads")

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


@click.command(
    cls=LongHelp,
    basic=("bitext", "output", "save", "model", "inventory", "source", "target", "format_name", "threads"),
    short_help=HELP["align"],
)
@click.argument("pairs", metavar="[PAIRS|-]", required=False)
@click.option(
    "--bitext", nargs=2, metavar="SRC TGT", help="Link the words of two files of sentences, instead of PAIRS."
)
@click.option("-o", "--output", default="-", help="File to write; otherwise standard output.")
@click.option("--save", metavar="FILE", help="Also write what was learned to this file.")
@click.option("--model", metavar="FILE", help="Learn nothing: use what --save has written.")
@click.option("--inventory", metavar="FILE", help="Also write all pieces with their counts to this file.")
@click.option(
    "--min-count",
    cls=RenamedOption,
    old_name="--least",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Leave pieces that are rarer than this out of the inventory  [1]",
)
@click.option(
    "--source",
    type=click.IntRange(1, 15),
    default=2,
    metavar="M",
    help="Maximum number of source symbols in a piece  [2]",
)
@click.option(
    "--target",
    type=click.IntRange(1, 15),
    default=2,
    metavar="N",
    help="Maximum number of target symbols in a piece  [2]",
)
@click.option("--no-deletions", is_flag=True, help="Do not allow deletions.")
@click.option("--both", is_flag=True, help="Allow several symbols on both sides of a piece.")
@click.option(
    "--maximise",
    type=click.Choice(["joint", "target-given-source", "source-given-target"]),
    default="joint",
    help="The distribution whose likelihood EM maximises  [joint]",
)
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    default=20,
    metavar="N",
    help="Maximum number of iterations of EM  [20]",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(PAIR_FORMATS),
    help="Format of PAIRS; otherwise inferred from its first lines.",
)
@symbols_options[0]
@symbols_options[1]
@click.option(
    "--links",
    nargs=2,
    metavar="FORTH BACK",
    help="With --bitext: combine these links of two directions; learn none.",
)
@click.option(
    "--symmetrise",
    type=click.Choice(METHODS),
    default=METHODS[-1],
    help=f"With --bitext: how to combine two directions into one alignment  [{METHODS[-1]}]",
)
@streams.threads_option
@streams.encoding_option
@streams.skip_option
@click.pass_context
def align(
    context: click.Context,
    pairs: str | None,
    bitext: tuple[str, str] | None,
    output: str,
    save: str | None,
    model: str | None,
    inventory: str | None,
    min_count: int,
    source: int,
    target: int,
    no_deletions: bool,
    both: bool,
    maximise: str,
    iterations: int,
    format_name: str | None,
    source_symbols: str | None,
    target_symbols: str | None,
    links: tuple[str, str] | None,
    symmetrise: str,
    threads: int,
    encoding: str,
    skip_bad: bool,
) -> None:
    """Align the PAIRS of a file (source TAB target, or CMUdict); no other knowledge is needed.

    Writes one pair a line in pieces, p|h}F o}OW n}N e}_, as joint n-gram tools read them. Pairs that cannot
    be aligned are left out and counted.

    With --bitext, SRC and TGT are translations of each other line by line, words between blanks. Writes the
    links of each pair on a line as 0-0 1-2 (source-target, from 0).
    """
    _refuse_others(context, bitext is not None)
    check_output("-o", output)
    check_output("--inventory", inventory)
    check_output("--save", save)
    if model is not None:
        _refuse_learning(context, save)
    if bitext is not None:
        from structron.cli.commands.align_bitext import align_bitext

        inputs = {"--bitext": bitext, "--links": links, "--model": model}
        refuse_overlap({"-o": output, "--save": save}, inputs)
        align_bitext(bitext, output, links, symmetrise, threads, encoding, save, model)
        return
    if pairs is None:
        raise click.UsageError("Missing argument 'PAIRS|-', or --bitext SRC TGT.")
    from structron.alignment.pairs import Aligner
    from structron.io import Encoding

    outputs = {"-o": output, "--inventory": inventory, "--save": save}
    refuse_overlap(outputs, {"PAIRS": pairs, "--model": model})
    how = Encoding(encoding)
    aligner = Aligner(source, target, not no_deletions, both, maximise.replace("-", "_"), iterations)
    name = "stdin" if pairs == "-" else pairs
    symbols = _in_symbols(_read(pairs, name, format_name, skip_bad, how), source_symbols, target_symbols)
    _write(_aligned(aligner, symbols, save, model), output, inventory, min_count, how, name)


def _aligned(
    aligner: Aligner, pairs: list[tuple[Sequence[str], Sequence[str]]], save: str | None, model: str | None
) -> Alignment:
    """Align pairs with what was learned before, or learn from them and perhaps save that."""
    from structron.alignment.aligners import PieceAligner

    if model is not None:
        return PieceAligner.load(model).align(pairs)
    aligned, finished = PieceAligner.learned(
        aligner, pairs, lambda done, total: report_progress("alignment", done, total)
    )
    if save is not None:
        finished.save(save)
    return aligned


def _read(
    pairs: str, name: str, format: str | None, skip_bad: bool, encoding: Encoding
) -> list[tuple[str, str]]:
    """Return the pairs of a file, a source with several targets once for each."""
    from structron.io import Report
    from structron.io.formats.pairs import read_pairs

    report = Report()
    found = [
        (pair.source, text)
        for pair in read_pairs(pairs, format=format, skip_bad=skip_bad, report=report, encoding=encoding)
        for text in pair.targets
    ]
    if said := streams.left_out(report, name):
        click.echo(said, err=True)
    if not found:
        raise DataError(f"{name}: there are no pairs to align; check the file")
    return found


def _in_symbols(
    pairs: list[tuple[str, str]], source_symbols: str | None, target_symbols: str | None
) -> list[tuple[Sequence[str], Sequence[str]]]:
    from structron.io.values.notation import Notation

    notation = Notation.inferred((text for _, text in pairs), source_symbols, target_symbols)
    return [(notation.symbols_of_source(x), notation.symbols_of_target(y)) for x, y in pairs]


def _write(
    aligned: Alignment, output: str, inventory: str | None, min_count: int, encoding: Encoding, name: str
) -> None:
    """Write pieces and inventory, and tell what came of it."""
    from structron.io.formats.aligned_pairs import write_aligned

    pieces = (aligned.pieces(i) for i in range(len(aligned)))
    write_aligned((each for each in pieces if each is not None), output, encoding)
    counts = aligned.inventory(min_count)
    if inventory is not None:
        _write_inventory(counts, inventory, encoding)
    said = f"aligned {int((aligned.status == 0).sum()):,} of {len(aligned):,} pairs"
    said += f", {counted(len(counts), 'pieces')}"
    if aligned.likelihoods:
        gained = f"log-likelihood {aligned.likelihoods[-1] / len(aligned):.3f} a pair"
        said += f"; {counted(len(aligned.likelihoods), 'iterations')}, {gained}"
    click.echo(f"{name}: {said}", err=True)
    if left := aligned.left_out():
        click.echo(f"{name}: {left}", err=True)


def _refuse_learning(context: click.Context, save: str | None) -> None:
    """Refuse options that say how to learn where nothing is learned."""
    if save is not None:
        raise click.UsageError("--save means nothing together with --model.")
    for name in _LEARNING:
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name.replace('_', '-')} means nothing together with --model.")


def _refuse_others(context: click.Context, is_bitext: bool) -> None:
    """Refuse options that mean nothing for the kind of input that is aligned."""
    for name in context.params:
        given = context.get_parameter_source(name) is not ParameterSource.DEFAULT
        if given and name not in _ALWAYS and (name in _BITEXT) != is_bitext:
            shown = "PAIRS" if name == "pairs" else f"--{name.removesuffix('_name').replace('_', '-')}"
            where = "together with --bitext" if is_bitext else "without --bitext"
            raise click.UsageError(f"{shown} means nothing {where}.")


def _write_inventory(
    counts: dict[tuple[tuple[str, ...], tuple[str, ...]], int], place: str, encoding: Encoding
) -> None:
    from structron.io.files.streams import writing
    from structron.io.formats.aligned_pairs import render_piece

    with writing(place, encoding) as put:
        for piece, count in counts.items():
            put(f"{render_piece(piece)}\t{count}\n")
