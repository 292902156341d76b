"""Associations of words and productions: Model 1 on questions and forms, before anything is learned.

A latent perceptron that starts from nothing assigns the words to whatever production comes first and then
keeps to it. The ratio of p(word | production) by Model 1 (Brown et al. 1993) to p(word) is the only dense
feature of semantic parsing; its weight is set and not learned.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from structron import _core
from structron.features.keys import hash_bytes

ITERATIONS = 10
BEGINNING = 4  # characters
LARGEST = 3.0  # the bound of the logarithm
NULL, UNIFORM = 0.2, 0.5


class Association(NamedTuple):
    """The strength with which words suggest productions; training words that are not listed have `-LARGEST`.

    Attributes
    ----------
    words
        Hashes of all words in the training data, sorted.
    productions, with_words, values
        The pairs that occur together, in this order.
    """

    words: np.ndarray[tuple[int], np.dtype[np.uint64]]
    productions: np.ndarray[tuple[int], np.dtype[np.uint32]]
    with_words: np.ndarray[tuple[int], np.dtype[np.uint64]]
    values: np.ndarray[tuple[int], np.dtype[np.float32]]

    @classmethod
    def none(cls) -> Association:
        """Return an association without words."""
        empty = np.zeros(0, np.uint64)
        return cls(empty, np.zeros(0, np.uint32), empty, np.zeros(0, np.float32))


def associate(pairs: Sequence[tuple[Sequence[str], Sequence[int]]], productions: int) -> Association:
    """Associate the words of questions, without names, with the productions of their forms."""
    vocabulary = {word: i for i, word in enumerate(sorted({word for words, _ in pairs for word in words}))}
    pairs = [(words, form) for words, form in pairs if words and form]
    if not pairs:
        return Association.none()
    texts = [[p for _, form in pairs for p in form], [vocabulary[w] for words, _ in pairs for w in words]]
    lengths = [[len(form) for _, form in pairs], [len(words) for words, _ in pairs]]
    arrays = [np.array(text, np.uint32) for text in texts]
    offsets = [np.concatenate([[0], np.cumsum(each)]).astype(np.uint64) for each in lengths]
    aligner = _core.WordAligner(
        arrays[0], offsets[0], arrays[1], offsets[1], productions, len(vocabulary), NULL, UNIFORM, False, 1
    )
    for _ in range(ITERATIONS):
        aligner.step(False)
    counts = Counter(texts[1])
    keys = np.array([hash_bytes(word.encode()) for word in vocabulary], np.uint64)
    found = aligner.pairs()
    values = []
    for pair, share in zip(found.tolist(), aligner.lexical(1).tolist()):
        expected = counts[pair & 0xFFFFFFFF] / len(texts[1])
        ratio = math.log(max(share, 1e-9) / expected)
        values.append(min(LARGEST, max(-LARGEST, ratio)))
    return Association(
        np.sort(keys),
        (found >> np.uint64(32)).astype(np.uint32),
        keys[(found & np.uint64(0xFFFFFFFF)).astype(np.intp)],
        np.array(values, np.float32),
    )


def associate_by_spelling(symbols: Iterable[tuple[int, str]], words: Iterable[str]) -> Association:
    """Associate words with productions by spelling alone: ``rivers`` begins like a symbol.

    Words that begin like no symbol are neutral.
    """
    of_beginning: dict[str, list[int]] = {}
    for production, text in symbols:
        for beginning in {part[:BEGINNING].lower() for part in _LETTERS.findall(text)}:
            of_beginning.setdefault(beginning, []).append(production)
    pairs = [
        (production, hash_bytes(word.encode()))
        for word in sorted(set(words))
        for production in of_beginning.get(word[:BEGINNING], ())
    ]
    return Association(
        np.unique(np.array([word for _, word in pairs], np.uint64)),
        np.array([production for production, _ in pairs], np.uint32),
        np.array([word for _, word in pairs], np.uint64),
        np.full(len(pairs), LARGEST, np.float32),
    )


_LETTERS = re.compile(r"[^\W\d_]{3,}")
