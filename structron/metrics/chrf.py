"""chrF (Popović 2015): F-score of character n-grams, without blanks; recall counts twice as much (β = 2).

What is counted adds up over sentences: for n from 1 to 6 how many n-grams output and reference have, and how
many they share. Figures are those of sacreBLEU's ``nc:6|nw:0|space:no``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

ORDER = 6
SIZE = 3 * ORDER
FACTOR = 4.0  # β²

Counts = npt.NDArray[np.float64]


def chrf_counts(references: Sequence[str], output: str) -> Counts:
    """Count what chrF needs of an output, against the reference that gives it the best score."""
    said = _ngrams(output)
    found = np.array([_shared(said, _ngrams(reference)) for reference in references])
    best: Counts = found[int(np.argmax(chrf(found)))]
    return best


def _ngrams(text: str) -> list[Counter[str]]:
    letters = "".join(text.split())
    return [Counter(letters[i : i + n] for i in range(len(letters) - n + 1)) for n in range(1, ORDER + 1)]


def _shared(output: Sequence[Counter[str]], reference: Sequence[Counter[str]]) -> list[float]:
    """Count, for each n, the n-grams of the output, of the reference, and of both.

    An output's n-grams are not held against it where the reference is too short to have any.
    """
    counts = []
    for said, wanted in zip(output, reference):
        counts += [said.total() if wanted else 0, wanted.total(), (said & wanted).total()]
    return [float(count) for count in counts]


def chrf(counts: Counts) -> Counts:
    """Compute the chrF of each row of counts, from 0 to 100; skip orders that one side is too short for."""
    said, wanted, shared = (counts[..., i::3] for i in range(3))
    used = (said > 0) & (wanted > 0)
    orders = np.maximum(used.sum(axis=-1), 1)
    precision = np.where(used, shared / np.maximum(said, 1), 0.0).sum(axis=-1) / orders
    recall = np.where(used, shared / np.maximum(wanted, 1), 0.0).sum(axis=-1) / orders
    below = FACTOR * precision + recall
    found: Counts = 100 * (1 + FACTOR) * precision * recall / np.where(below > 0, below, 1.0)
    return found
