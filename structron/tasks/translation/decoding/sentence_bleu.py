"""BLEU + 1 of one sentence (Lin & Och 2004), for choosing what to learn.

It equals `smoothed` of `structron.metrics.bleu`. The engine's twin is
`core/tasks/translation/sentence_bleu.hpp`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from structron.tasks.translation.phrases.options import Words

ORDER = 4


class SentenceBleu:
    """The references of one sentence, counted once."""

    def __init__(self, references: Sequence[Words]) -> None:
        self._lengths = sorted(len(reference) for reference in references)
        self._most: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            self._most |= _ngrams(reference)

    def gain(self, output: Words) -> float:
        """Return BLEU + 1 times the length of the reference nearest in length.

        This makes a word worth about as much in every sentence.
        """
        matched = [0] * ORDER
        for ngram, times in _ngrams(output).items():
            matched[len(ngram) - 1] += min(times, self._most[ngram])
        if not matched[0]:
            return 0.0
        logs = 0.0
        for n in range(1, ORDER + 1):
            more = 1 if n > 1 else 0
            total = max(0, len(output) - n + 1) + more
            logs += math.log((matched[n - 1] + more) / max(total, 1))
        nearest = min(self._lengths, key=lambda length: abs(length - len(output)))
        return math.exp(logs / ORDER + min(0.0, 1 - nearest / len(output))) * nearest


def _ngrams(words: Words) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for n in range(1, ORDER + 1) for i in range(len(words) - n + 1))
