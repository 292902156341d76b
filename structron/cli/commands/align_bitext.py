"""``structron align --bitext``: links between the words of two files of sentences."""

from __future__ import annotations

import click

from structron.cli.terminal.counting import counted
from structron.errors import DataError, SettingError
from structron.progress import report_progress


def align_bitext(
    places: tuple[str, str],
    output: str,
    links: tuple[str, str] | None,
    symmetrise: str,
    threads: int,
    encoding: str,
    save: str | None = None,
    model: str | None = None,
) -> None:
    """Learn word links, use what was learned, or take links of two directions; write one alignment a line."""
    from structron.alignment.aligners import WordLinker
    from structron.alignment.bitext import BitextAligner, Links, symmetrised
    from structron.alignment.word_alignment import MOST_WORDS, is_aligned
    from structron.io.formats.parallel_text import read_bitext
    from structron.io.formats.pharaoh import read_links, write_links

    if places[0] == places[1] == "-":
        raise DataError("stdin: both sides of the bitext cannot be standard input; name a file for one")
    sources, targets = read_bitext(*places, encoding)
    if save is not None and links is not None:
        raise SettingError("--save: with --links nothing is learned that could be saved; leave one out")
    if links is not None:
        lengths = [(len(source), len(target)) for source, target in zip(sources, targets)]
        forth, back = (Links.of(read_links(place, lengths)) for place in links)
        found = symmetrised(forth, back, symmetrise)
    else:
        if not any(source and target for source, target in zip(sources, targets)):
            raise DataError(f"{places[0]}: there are no sentences to align; check the file")
        if model is not None:
            found = WordLinker.load(model).align(sources, targets)
        else:
            aligner = BitextAligner(symmetrise=symmetrise, threads=threads)
            found, finished = WordLinker.learned(
                aligner, sources, targets, lambda done, total: report_progress("alignment", done, total)
            )
            if save is not None:
                finished.save(save)
    write_links(found, output)
    empty = sum(not source or not target for source, target in zip(sources, targets))
    told = f"; {counted(empty, 'pairs')} with an empty side" if empty else ""
    long = sum(not is_aligned(pair) for pair in zip(sources, targets)) - empty
    if long and links is None:
        told += f"; {counted(long, 'pairs')} of more than {MOST_WORDS} words passed by"
    click.echo(
        f"{places[0]}: {counted(len(found), 'pairs')}, {counted(len(found.source), 'links')}{told}", err=True
    )
