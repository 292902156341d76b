"""Modified Kneser-Ney language models (Chen & Goodman 1998, section 3), slow and obvious.

This defines the estimates of `core/tasks/translation/kneser_ney.hpp` and the answers of
`core/tasks/translation/language_model.hpp`. Special words are treated as in KenLM's ``lmplz`` (Heafield et
al. 2013): a sentence is ``<s> w1 ... wn </s>``; ``<s>`` is only ever a context; ``<unk>`` has no count, so
that it gets the share that unigrams leave to the uniform distribution; n-grams that begin with ``<s>`` keep
their raw counts, since nothing can stand before them.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from structron.io.values.ngrams import BEGIN, END, UNKNOWN

NGram = tuple[int, ...]
Discounts = tuple[float, float, float]
Logs = tuple[float, float]
Table = Mapping[NGram, Logs]

FALLBACK: Discounts = (0.5, 1.0, 1.5)
"""Discounts for a text too small to estimate them, as in ``lmplz --discount_fallback``."""


def raw_counts(sentences: Sequence[Sequence[int]], order: int) -> list[Counter[NGram]]:
    """Count each n-gram, by its order; number 0 is of unigrams."""
    counts: list[Counter[NGram]] = [Counter() for _ in range(order)]
    for sentence in sentences:
        padded = (BEGIN, *sentence, END)
        for n in range(1, order + 1):
            counts[n - 1].update(padded[i : i + n] for i in range(len(padded) - n + 1))
    return counts


def adjusted_counts(raw: Sequence[Counter[NGram]], words: int) -> list[dict[NGram, int]]:
    """Count the different words before each n-gram below the highest order (equation 24)."""
    adjusted: list[dict[NGram, int]] = []
    for n, counts in enumerate(raw):
        if n + 1 == len(raw):
            adjusted.append(dict(counts))
        else:
            before = Counter(ngram[1:] for ngram in raw[n + 1])
            adjusted.append({g: count if g[0] == BEGIN else before[g] for g, count in counts.items()})
    adjusted[0] = {(word,): adjusted[0].get((word,), 0) for word in range(words)}
    adjusted[0][BEGIN,] = 0
    return adjusted


def discounts(counts: Mapping[NGram, int]) -> Discounts:
    """Return the discounts of counts of 1, of 2, and of more (equation 26)."""
    n = Counter(counts.values())
    if not (n[1] and n[2] and n[3]):
        return FALLBACK
    y = n[1] / (n[1] + 2.0 * n[2])
    one, two, more = (j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3))
    # A negative discount would add to the counts; a discount of 0 could leave no mass for backing off.
    return (one, two, more) if two > 0 and more > 0 else FALLBACK


def estimate(sentences: Sequence[Sequence[int]], order: int, words: int) -> dict[NGram, Logs]:
    """Estimate the interpolated model of sentences of word numbers.

    Parameters
    ----------
    order
        The length of the longest n-grams.
    words
        The size of the vocabulary; numbers 0, 1 and 2 are ``<unk>``, ``<s>`` and ``</s>`` and occur in no
        sentence.

    Returns
    -------
    dict
        The natural logarithms of each n-gram's probability and of its back-off weight, in the order of
        `NGrams`, rounded to 32 bits.
    """
    adjusted = adjusted_counts(raw_counts(sentences, order), words)
    probability: dict[NGram, float] = {}
    left: dict[NGram, float] = {}
    for counts in adjusted:
        taken = (0.0, *discounts(counts))
        total: dict[NGram, int] = defaultdict(int)
        kinds: dict[NGram, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for ngram, count in counts.items():
            total[ngram[:-1]] += count
            kinds[ngram[:-1]][min(count, 3)] += 1
        for context, (_, one, two, more) in kinds.items():
            left[context] = (taken[1] * one + taken[2] * two + taken[3] * more) / total[context]
        for ngram, count in sorted(counts.items()):
            context = ngram[:-1]
            lower = probability[ngram[1:]] if context else 1.0 / (words - 1)
            discounted = (count - taken[min(count, 3)]) / total[context]
            probability[ngram] = discounted + left[context] * lower
        probability[BEGIN,] = 1.0
    return {
        ngram: (_log(value), _log(left[ngram]) if ngram in left else 0.0)
        for ngram, value in probability.items()
    }


def _log(value: float) -> float:
    return float(np.float32(math.log(value)))


class BackoffModel:
    """The definition of an n-gram model's answers.

    A state is the part of the history that the model can still use: its longest end that some n-gram begins
    with or that has a back-off weight. Equal states have equal futures.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.states = {ngram[:-1] for ngram in table} | {g for g, (_, backoff) in table.items() if backoff}

    def begin(self) -> NGram:
        """Return the state at the beginning of a sentence."""
        return self._state((BEGIN,))

    def score(self, state: NGram, word: int) -> tuple[float, NGram]:
        """Return the logarithm of a word's probability after a state, and the state after it."""
        word = word if (word,) in self.table else UNKNOWN
        total = 0.0
        context = state
        while (*context, word) not in self.table:
            total += self.table[context][1] if context in self.table else 0.0
            context = context[1:]
        total += self.table[*context, word][0]
        return float(np.float32(total)), self._state((*context, word))

    def sentence(self, words: Sequence[int]) -> float:
        """Return the logarithm of a sentence's probability, including its end."""
        total, state = 0.0, self.begin()
        for word in (*words, END):
            score, state = self.score(state, word)
            total += score
        return total

    def _state(self, said: NGram) -> NGram:
        return next(said[i:] for i in range(len(said) + 1) if said[i:] in self.states)
