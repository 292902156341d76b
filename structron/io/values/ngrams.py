"""The n-grams of a back-off language model as arrays: a tree of words, level by level.

The first level has every word of the vocabulary in its order, the second all bigrams sorted by their words,
and so on. The n-grams that begin with n-gram number `i` are numbers ``first[i]`` to ``first[i + 1]``, so that
one word says which n-gram each of them is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from structron.errors import ModelError

UNKNOWN, BEGIN, END = 0, 1, 2
SPECIAL = ("<unk>", "<s>", "</s>")
MOST_ORDERS = 9


@dataclass(frozen=True)
class NGrams:
    """A back-off model: natural logarithms of probabilities and of back-off weights.

    Parameters
    ----------
    vocabulary
        The words by their numbers; the first three are `SPECIAL`.
    sizes
        How many n-grams there are of each order.
    words
        The last word of each n-gram, level by level.
    first
        For each n-gram that is not of the highest order, which is the first that continues it; and one number
        more, how many n-grams there are.
    logprob
        Logarithms of the probabilities.
    backoff
        Logarithms of the back-off weights of all n-grams that are not of the highest order.
    """

    vocabulary: tuple[str, ...]
    sizes: npt.NDArray[np.uint64]
    words: npt.NDArray[np.uint32]
    first: npt.NDArray[np.uint32]
    logprob: npt.NDArray[np.float32]
    backoff: npt.NDArray[np.float32]

    def __post_init__(self) -> None:
        sizes = [int(size) for size in self.sizes]
        total, lower = sum(sizes), sum(sizes[:-1])
        if not 1 <= len(sizes) <= MOST_ORDERS or sizes[0] != len(self.vocabulary):
            raise ModelError("its n-grams and its vocabulary do not fit together")
        if self.vocabulary[:3] != SPECIAL:
            raise ModelError(f"its vocabulary does not begin with {', '.join(SPECIAL)}")
        lengths = [len(self.words), len(self.logprob), len(self.first), len(self.backoff)]
        if lengths != [total, total, lower + 1, lower]:
            raise ModelError("its n-grams have arrays of different lengths")

    @property
    def order(self) -> int:
        """Return the length of the longest n-grams."""
        return len(self.sizes)

    def level(self, order: int) -> range:
        """Return the numbers of the n-grams of an order."""
        begin = int(self.sizes[: order - 1].sum())
        return range(begin, begin + int(self.sizes[order - 1]))

    def each(self) -> Iterator[tuple[tuple[int, ...], float, float]]:
        """Yield every n-gram with its two logarithms, level by level; a missing back-off weight is 0."""
        ahead: list[tuple[int, ...]] = [()]
        begins = [0, int(self.sizes[0])]
        number = 0
        for order in range(1, self.order + 1):
            level: list[tuple[int, ...]] = []
            for context, (begin, end) in zip(ahead, pairwise(begins)):
                level += [(*context, word) for word in self.words[begin:end].tolist()]
            for ngram in level:
                backoff = float(self.backoff[number]) if order < self.order else 0.0
                yield ngram, float(self.logprob[number]), backoff
                number += 1
            if order < self.order:
                ahead, numbers = level, self.level(order)
                begins = self.first[numbers.start : numbers.stop + 1].tolist()
