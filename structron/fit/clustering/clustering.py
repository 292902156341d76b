"""Brown clusters of a text, found by the engine.

`structron/reference/text/clustering.py` is the definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from structron import _core
from structron.errors import DataError, SettingError

MOST_CLASSES = 4000
_TOGETHER = 1 << 12  # words between two reports of progress; whole batches of the engine

Progress = Callable[[str, int, int], object]


class ClusteredWord(NamedTuple):
    """One word with its place in the tree of clusters, and its count."""

    path: str
    word: str
    times: int


def check_classes(classes: int) -> None:
    """Refuse too few classes for a tree, or too many for the memory."""
    if not 2 <= classes <= MOST_CLASSES:
        raise SettingError(
            f"classes = {classes} is not possible; give a whole number from 2 to {MOST_CLASSES}"
        )


def brown_clusters(
    sentences: Iterable[Sequence[str]],
    classes: int,
    *,
    least: int = 3,
    rounds: int = 20,
    threads: int = 1,
    progress: Progress | None = None,
) -> list[ClusteredWord]:
    """Cluster the words of a text by their neighbours (Brown et al. 1992).

    Sentences are read once; only counts are kept. The result does not depend on `threads`.

    Parameters
    ----------
    classes
        The number of clusters; there are fewer if there are fewer words.
    least
        Words seen fewer times get no cluster.
    rounds
        How often each word may change its class; rounds end earlier when at most one word in a thousand does.
    progress
        Called from time to time with the name of the current step, its progress and its size.
    """
    check_classes(classes)
    counter = _core.BigramCounter()
    try:
        for sentence in sentences:
            counter.add(sentence)
    except ValueError as error:
        raise DataError(f"{error}") from None
    bigrams = counter.give(least)
    words = bigrams.words
    if not words:
        seen = "there are no words in the text" if not counter.tokens else f"no word is seen {least} times"
        raise DataError(f"{seen}; give more text" + (", or a smaller --least" if counter.tokens else ""))
    tell = progress or (lambda *_: None)
    exchange = _core.Exchange(bigrams, classes)
    _exchange(exchange, len(words), rounds, threads, tell)
    tree = _core.Agglomeration(exchange)
    merges: list[tuple[int, int]] = []
    while tree.left > 1:
        tell("joining classes", len(merges), exchange.classes - 1)
        merges += tree.run(32, threads)
    found = paths(merges, exchange.classes)
    listed = zip(words, exchange.of_words.tolist(), bigrams.times.tolist())
    return sorted(
        (ClusteredWord(found[c], word, n) for word, c, n in listed), key=lambda x: (x.path, -x.times, x.word)
    )


def _exchange(exchange: _core.Exchange, words: int, rounds: int, threads: int, tell: Progress) -> None:
    for turn in range(1, rounds + 1):
        moved = 0
        for begin in range(0, words, _TOGETHER):
            tell(f"exchanging words, round {turn} of at most {rounds}", begin, words)
            moved += exchange.run(begin, begin + _TOGETHER, threads)
        if moved * 1000 <= words:
            break


def paths(merges: Sequence[tuple[int, int]], classes: int) -> list[str]:
    """Return the path from the root of the tree to each class, in bits."""
    found = {0: ""}
    for first, second in reversed(merges):
        found[first], found[second] = found[first] + "0", found[first] + "1"
    return [found[c] for c in range(classes)]
