"""``structron cluster``: a file of clusters of words that occur in the same contexts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from structron.cli.command_list import HELP, LongHelp
from structron.cli.files import streams
from structron.cli.files.places import check_output, refuse_overlap
from structron.cli.terminal.counting import counted
from structron.cli.terminal.renamed_option import RenamedOption
from structron.progress import report_progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from structron.fit.clustering.clustering import ClusteredWord
    from structron.io import Names

_OF_TEXT = ("min_count", "rounds", "threads", "lower", "format_name", "columns")


@click.command(
    cls=LongHelp, basic=("output", "classes", "min_count", "lower", "threads"), short_help=HELP["cluster"]
)
@click.argument("text", nargs=-1, metavar="TEXT...", required=True)
@click.option("-o", "--output", default="-", help="File to write; otherwise standard output.")
@click.option(
    "--classes",
    type=click.IntRange(2, 4000),
    default=500,
    metavar="N",
    help="Number of clusters  [500]",
)
@click.option(
    "--min-count",
    cls=RenamedOption,
    old_name="--least",
    type=click.IntRange(min=1),
    default=3,
    metavar="N",
    help="Leave rarer words without a cluster  [3]",
)
@click.option("--lower", is_flag=True, help="Convert the text to lower case.")
@click.option(
    "--rounds",
    type=click.IntRange(min=0),
    default=20,
    metavar="N",
    help="Maximum number of rounds of exchange  [20]",
)
@click.option("--vectors", is_flag=True, help="TEXT is a file of word vectors, in the text form of word2vec.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, metavar="N", help="Random seed, for --vectors  [0]"
)
@streams.threads_option
@streams.formats_option(("conllu", "columns", "slash", "text"))
@streams.columns_option
@streams.encoding_option
@click.pass_context
def cluster(
    context: click.Context,
    text: tuple[str, ...],
    output: str,
    classes: int,
    min_count: int,
    lower: bool,
    rounds: int,
    vectors: bool,
    seed: int,
    threads: int,
    format_name: str | None,
    columns: Names | None,
    encoding: str,
) -> None:
    """Cluster the words of TEXT by their neighbours (Brown clusters).

    TEXT is one or more files of plain text, one sentence per line with blanks between words, or CoNLL-U if
    their names say so; --format names another format, whose words are used. A line of the output has a path
    of bits, a word and its count, with tabs between them. Words whose paths begin alike are similar.
    """
    _refuse_others(context, vectors)
    check_output("-o", output)
    refuse_overlap({"-o": output}, {"TEXT": text})
    from structron.io.formats.clusters import write_clusters

    if vectors:
        found = _of_vectors(text, classes, seed, encoding)
    else:
        from structron.fit.clustering.clustering import brown_clusters

        found = brown_clusters(
            _sentences(text, format_name, columns, encoding, lower=lower),
            classes,
            least=min_count,
            rounds=rounds,
            threads=threads,
            progress=report_progress,
        )
    write_clusters(found, output, encoding)
    paths = {each.path for each in found}
    name = "stdin" if text[0] == "-" else text[0]
    click.echo(
        f"{name}: {counted(len(found), 'words')} in {counted(len(paths), 'clusters')}, "
        f"paths of {min(map(len, paths))} to {max(map(len, paths))} bits",
        err=True,
    )


def _sentences(
    places: Sequence[str], format_name: str | None, columns: Names | None, encoding: str, *, lower: bool
) -> Iterator[Sequence[str]]:
    """Yield the words of all sentences of all files as they are read."""
    from structron.io import read

    for place in places:
        usual = "conllu" if ".conllu" in place else "text"
        for sentence in read(place, format=format_name or usual, columns=columns, encoding=encoding):
            words = sentence.column("form")
            yield [word.lower() for word in words] if lower else words


def _of_vectors(places: Sequence[str], classes: int, seed: int, encoding: str) -> list[ClusteredWord]:
    from structron.fit.clustering.vector_clusters import vector_clusters
    from structron.io.formats.clusters import read_vectors

    if len(places) > 1:
        raise click.UsageError("--vectors takes one file.")
    return vector_clusters(*read_vectors(places[0], encoding), classes, seed)


def _refuse_others(context: click.Context, of_vectors: bool) -> None:
    """Refuse options that mean nothing for the kind of input that is clustered."""
    for name in context.params:
        given = context.get_parameter_source(name) is not ParameterSource.DEFAULT
        if given and (name in _OF_TEXT if of_vectors else name == "seed"):
            shown = f"--{name.removesuffix('_name')}"
            raise click.UsageError(f"{shown} means nothing {'with' if of_vectors else 'without'} --vectors.")
