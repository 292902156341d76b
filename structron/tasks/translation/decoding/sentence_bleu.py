"""BLEU + 1 of one sentence (Lin & Och 2004), for choosing what to learn.

It equals `smoothed` of `structron.metrics.bleu`. The engine's twin is
`core/tasks/translation/sentence_bleu.hpp`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from structron.metrics.bleu import ORDER, References

Words = Sequence[str]


class SentenceBleu:
    """The references of one sentence, counted once."""

    def __init__(self, references: Sequence[Words]) -> None:
        self._references = References(references)

    def gain(self, output: Words) -> float:
        """Return BLEU + 1 times the length of the reference nearest in length.

        This makes a word worth about as much in every sentence.
        """
        counts: list[float] = self._references.counts(output).tolist()
        matched, total, nearest = counts[:ORDER], counts[ORDER : 2 * ORDER], counts[-1]
        if not matched[0]:
            return 0.0
        logs = 0.0
        for n in range(ORDER):
            more = min(n, 1)
            logs += math.log((matched[n] + more) / max(total[n] + more, 1))
        return math.exp(logs / ORDER + min(0.0, 1 - nearest / len(output))) * nearest
