"""Brown clusters of a text, found by the engine.

`structron/reference/text/clustering.py` is the definition.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from structron import _core
from structron.errors import DataError, SettingError

MOST_CLASSES = 4000
BLOCK = 1 << 15  # sentences after which what is rare may be forgotten
SMALLER = ", or a smaller --min-count"  # what an error says besides
_TOGETHER = 1 << 12  # words between two reports of progress; whole batches of the engine
# Costs, by measurement: of a word besides its neighbours; of the tree, for each class and two others; and the
# share of the tree's that comes before the first merge.
_PER_WORD, _PER_TREE, _START = 8, 14, 0.55

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


def counted(sentences: Iterable[Sequence[str]]) -> _core.BigramCounter:
    """Count the words of a text and their pairs; sentences are read once, and memory is bounded."""
    counter = _core.BigramCounter()
    for number, sentence in enumerate(sentences, 1):
        counter.add(sentence)
        if number % BLOCK == 0:
            counter.settle()
    counter.settle()
    return counter


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
        Called from time to time with the name of the work, its progress and its size.
    """
    check_classes(classes)
    return clustered(counted(sentences), classes, least, rounds, threads, progress)


def clustered(
    counter: _core.BigramCounter,
    classes: int,
    least: int,
    rounds: int,
    threads: int = 1,
    progress: Progress | None = None,
) -> list[ClusteredWord]:
    """Cluster the words of a text that was counted, see `brown_clusters`."""
    bigrams = counter.give(least)
    words = bigrams.words
    if not words:
        seen = "there are no words in the text" if not counter.tokens else f"no word is seen {least} times"
        raise DataError(f"{seen}; give more text" + (SMALLER if counter.tokens else ""))
    exchange = _core.Exchange(bigrams, classes)
    work = _Work(bigrams.neighbours, exchange.classes, rounds, progress or (lambda *_: None))
    _exchange(exchange, work, threads)
    tree = _core.Agglomeration(exchange)
    merges: list[tuple[int, int]] = []
    while tree.left > 1:
        work.joined(tree.left)
        merges += tree.run(32, threads)
    work.joined(0)
    found = paths(merges, exchange.classes)
    listed = zip(words, exchange.of_words.tolist(), bigrams.times.tolist())
    return sorted(
        (ClusteredWord(found[c], word, n) for word, c, n in listed), key=lambda x: (x.path, -x.times, x.word)
    )


def _exchange(exchange: _core.Exchange, work: _Work, threads: int) -> None:
    words = work.words
    for _ in range(work.rounds):
        moved = 0
        for begin in range(0, words, _TOGETHER):
            work.exchanged(begin)
            moved += exchange.run(begin, begin + _TOGETHER, threads)
        work.turned(moved)
        if moved * 1000 <= words:
            break


class _Work:
    """The work that clustering takes, so that the time left is known from the beginning.

    A word is compared with every class for each class beside it: frequent words, which come first, cost most.
    How many rounds there will be is foretold by how fast fewer words move.
    """

    def __init__(self, neighbours: Any, classes: int, rounds: int, tell: Progress) -> None:
        import numpy as np

        beside = np.minimum(neighbours.astype(np.int64), 2 * classes)
        self._costs = np.concatenate([[0], np.cumsum((beside + _PER_WORD) * classes)])
        self.words, self.rounds, self._tell = len(neighbours), rounds, tell
        self._classes, self._tree = classes, _PER_TREE * classes**3
        self._moved: list[int] = []
        self._left = rounds  # of rounds, as far as one can tell

    def exchanged(self, begin: int) -> None:
        """Tell that the words before this one have been looked at in this round."""
        done = len(self._moved) * self._round + int(self._costs[begin])
        self._report(done)

    def turned(self, moved: int) -> None:
        """Note how many words moved in a round that is over."""
        self._moved.append(moved)
        left = self.rounds - len(self._moved)
        if len(self._moved) > 1 and 0 < moved < self._moved[-2]:
            far = math.log(max(1000 * moved / self.words, 1.0))
            left = min(left, math.ceil(far / math.log(self._moved[-2] / moved)))
        self._left = left if moved * 1000 > self.words else 0

    def joined(self, left: int) -> None:
        """Report the number of classes that are left to be joined."""
        self._left = 0
        share = 0.0 if left == self._classes else 1 - (1 - _START) * (left / self._classes) ** 3
        self._report(len(self._moved) * self._round + int(share * self._tree))

    @property
    def _round(self) -> int:
        return int(self._costs[-1])

    def _report(self, done: int) -> None:
        rounds = len(self._moved) + self._left
        self._tell("clustering words", done, rounds * self._round + self._tree)


def paths(merges: Sequence[tuple[int, int]], classes: int) -> list[str]:
    """Return the path from the root of the tree to each class, in bits."""
    found = {0: ""}
    for first, second in reversed(merges):
        found[first], found[second] = found[first] + "0", found[first] + "1"
    return [found[c] for c in range(classes)]
