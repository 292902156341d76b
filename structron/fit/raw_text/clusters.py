"""Clusters of the words of raw text, for templates: counted once, then kept beside the text.

The text is read as a stream. How many clusters there are depends on how many words were read (`size_for`);
what was tried is in benchmarks/results/text.md. Inside a larger training, such as that of a pipeline, all its
parts take the same words of the text (`reading_text`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from structron.errors import DataError, SettingError
from structron.features.clusters import WordClusters
from structron.fit.clustering.clustering import SMALLER, ClusteredWord, clustered, counted
from structron.fit.data.word_lists import clusters_of
from structron.fit.raw_text.cutting import Cut, Cutter
from structron.fit.raw_text.lines import lines_of
from structron.io.files.reading import read
from structron.io.files.streams import plain_name
from structron.io.files.text_cache import cached
from structron.io.formats.clusters import read_clusters, write_clusters
from structron.progress import current_listener

_AS = 1  # a change of what is made of a text counts up


class Size(NamedTuple):
    """The size of a clustering: classes, the least count of a word, and rounds."""

    classes: int
    least: int
    rounds: int = 6


def size_for(words: int) -> Size:
    """Return the number of clusters that suits a text of this size."""
    if words < 10_000_000:
        return Size(500, 3)
    return Size(1000, 10)


@dataclass(frozen=True)
class _Work:
    threads: int = 1
    cut: Cut | None = None


_ALONE = _Work()
_work: ContextVar[_Work] = ContextVar("reading_text", default=_ALONE)


@contextlib.contextmanager
def reading_text(threads: int | None = None, cut: Cut | None = None) -> Iterator[None]:
    """Read text in this block with so many threads, or with words as somebody cuts them."""
    now = _work.get()
    token = _work.set(_Work(threads or now.threads, cut or now.cut))
    try:
        yield
    finally:
        _work.reset(token)


def clusters_for(
    recipe: Any, templates: Sequence[str], words: Callable[[], Iterable[str]]
) -> WordClusters | None:
    """Return the clusters that a recipe asks for: those of its file, or of its text.

    `words` yields those of the labelled data, which say how text is cut.
    """
    if not recipe.text_files:
        return clusters_of(str(recipe.clusters))
    if recipe.clusters != "none":
        raise SettingError("text and clusters both give clusters of words; give one of them")
    if not any("cluster" in template for template in templates):
        raise SettingError(
            "text becomes clusters, and no template has one; add cluster[0], or leave text out"
        )
    work = _work.get()
    return clusters_of_text(recipe.text_files, work.cut or _as_labelled(words()), work.threads)


def _as_labelled(words: Iterable[str]) -> Cut:
    cutter = Cutter.of(words)
    return Cut(cutter.sentences, str(cutter))


def clusters_of_text(files: Sequence[str], cut: Cut, threads: int = 1) -> WordClusters:
    """Cluster the words of text, or read the clusters that were kept when it was done before."""

    def make() -> list[ClusteredWord]:
        bigrams = counted(_sentences(files, cut))
        size = size_for(bigrams.tokens)
        try:
            return clustered(bigrams, *size, threads, current_listener())
        except DataError as error:
            wrong = str(error).removesuffix(SMALLER)  # a training has no such option
            raise DataError(f"{', '.join(files)}: {wrong}") from None

    found = cached(files, (_AS, cut.name), "clusters", _read, make, write_clusters)
    return WordClusters.of(((word, path) for path, word, _ in found), f"{_name(files)}, {cut.how}")


def _read(place: Path) -> list[ClusteredWord]:
    stamp = place.stat()
    return _read_once(str(place), stamp.st_size, stamp.st_mtime_ns)


@lru_cache(1)  # a training may ask again and again
def _read_once(place: str, size: int, time: int) -> list[ClusteredWord]:
    return [ClusteredWord(*each) for each in read_clusters(place)]


def _sentences(files: Sequence[str], cut: Cut) -> Iterator[Sequence[str]]:
    """Yield the words of all files; CoNLL-U has its own."""
    for file in files:
        if plain_name(file).endswith(".conllu"):
            for sentence in read(file, format="conllu"):
                yield [word.lower() for word in sentence.words()]
        else:
            yield from cut.sentences(lines_of(file))


def _name(files: Sequence[str]) -> str:
    return " + ".join(Path(file).name for file in files)
