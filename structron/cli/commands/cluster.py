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
from structron.errors import SettingError
from structron.progress import report_progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from structron._core import BigramCounter
    from structron.cli.files.raw_sentences import Source
    from structron.fit.clustering.clustering import ClusteredWord
    from structron.fit.clustering.counting import Parse
    from structron.io import Names

_OF_TEXT = ("min_count", "rounds", "threads", "lower", "format_name", "columns", "ray", "workers")


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
@click.option(
    "--ray",
    metavar="ADDRESS",
    help="Count on a Ray cluster: auto, host:port, or local to start one here; the result is the same.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of workers of the Ray cluster  [2]",
)
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
    ray: str | None,
    workers: int | None,
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
        from structron.cli.files.raw_sentences import Source, lower_words_of, words_of
        from structron.fit.clustering.clustering import clustered

        source = Source(text, format_name, columns, encoding)
        counter = _counted(source, lower_words_of if lower else words_of, ray, workers)
        found = clustered(counter, classes, min_count, rounds, threads, report_progress)
    write_clusters(found, output, encoding)
    paths = {each.path for each in found}
    name = "stdin" if text[0] == "-" else text[0]
    click.echo(
        f"{name}: {counted(len(found), 'words')} in {counted(len(paths), 'clusters')}, "
        f"paths of {min(map(len, paths))} to {max(map(len, paths))} bits",
        err=True,
    )


def _counted(source: Source, parse: Parse, ray: str | None, workers: int | None) -> BigramCounter:
    """Count words and their pairs, here or on a cluster."""
    if ray is None:
        if workers is not None:
            raise SettingError("--workers is for a cluster; name one with --ray, or use --threads")
        from structron.fit.clustering.clustering import counted as counted_here

        return counted_here(map(parse, source.lines()))
    from structron.cli.terminal.standard import catch_signals
    from structron.fit.cluster.cluster import Cluster
    from structron.fit.clustering.counting import counted_by_workers

    cluster = Cluster(ray, 2 if workers is None else workers)
    cluster.connect()
    catch_signals()  # Ray has set its own way of ending
    return counted_by_workers(cluster, source.lines(), parse)


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
