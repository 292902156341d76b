"""Paired bootstrap resampling: do two outputs differ by more than chance (Koehn 2004)?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from structron.errors import DataError
from structron.progress import report_progress

SAMPLES = 1000
_CELLS = 1 << 22  # of the table of samples that is held at once

Counts = npt.NDArray[np.float64]
# Scores of many corpora, from the counts of each, added up.
Score = Callable[[Counts], Counts]


@dataclass(frozen=True)
class Difference:
    """The difference between two outputs for the same sentences.

    Attributes
    ----------
    difference
        The first score minus the second.
    low, high
        Between these are 95 % of the differences of the samples.
    wins
        The share of samples in which the first is the better one.
    p
        How likely a difference as large as this one is by chance (Riezler & Maxwell 2005: the differences of
        the samples are moved to have a mean of zero), one sample being added so that it is never zero.
    """

    difference: float
    low: float
    high: float
    wins: float
    p: float


def paired_bootstrap(
    first: Counts, second: Counts, score: Score, rng: np.random.Generator, samples: int = SAMPLES
) -> Difference:
    """Score both on the same samples of sentences, drawn with replacement.

    Parameters
    ----------
    first, second
        The counts behind the score, one row for each sentence.
    score
        From counts that have been added up, one row for each corpus.
    """
    if first.shape != second.shape or not len(first):
        raise DataError(
            f"{len(first)} sentences of one output and {len(second)} of the other; compare outputs for the "
            "same sentences"
        )
    n = len(first)
    both = np.concatenate([first, second], axis=1)
    found = []
    at_once = max(1, _CELLS // n)
    for begin in range(0, samples, at_once):
        report_progress("resampling", begin, samples)
        drawn = rng.integers(n, size=(min(at_once, samples - begin), n))
        times = np.array([np.bincount(row, minlength=n) for row in drawn], dtype=np.float64)
        sums = times @ both
        found.append(score(sums[:, : first.shape[1]]) - score(sums[:, first.shape[1] :]))
    differences = np.concatenate(found)
    whole = float(score(first.sum(axis=0)) - score(second.sum(axis=0)))
    by_chance = int(np.sum(np.abs(differences - differences.mean()) >= abs(whole)))
    low, high = np.quantile(differences, [0.025, 0.975])
    return Difference(
        whole, float(low), float(high), float(np.mean(differences > 0)), (by_chance + 1) / (samples + 1)
    )
