"""Leave one out: a phrase table without the counts of one pair of sentences, slow and obvious.

A training sentence can always be translated by the phrases that it has supplied itself. Removing these from
the counts, pair by pair, makes training see what it will see in new text (Wuebker, Mauser & Ney 2010). The
engine's twin is `core/tasks/translation/leave_one_out.hpp`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from structron.tasks.translation.phrases.extraction import Link, Option, Words, spans

LEAST = 0.5
"""The value of a count of which nothing is left."""


@dataclass(frozen=True)
class AdjustedOption:
    """An option whose scores change: its number, its remaining count, and two logarithms of it."""

    option: int
    count: int
    target_given_source: float
    source_given_target: float


def without(
    table: Sequence[Option],
    source: Sequence[int],
    target: Sequence[int],
    links: Sequence[Link],
    longest: int,
    least: float = LEAST,
) -> list[AdjustedOption]:
    """Return all options that the pair has contributed to, in the order of the table."""
    pairs: Counter[tuple[Words, Words]] = Counter(
        (tuple(source[i1 : i2 + 1]), tuple(target[j1 : j2 + 1]))
        for i1, i2, j1, j2 in spans(len(source), len(target), links, longest)
    )
    by_source: Counter[Words] = Counter()
    by_target: Counter[Words] = Counter()
    for (x, y), times in pairs.items():
        by_source[x] += times
        by_target[y] += times
    phrases = {tuple(source[i : i + n]) for i in range(len(source)) for n in range(1, longest + 1)}
    found = []
    for number, option in enumerate(table):
        ours, theirs = by_source[option.source], by_target[option.target]
        if option.source in phrases and (ours or theirs):
            count = max(option.count - pairs[option.source, option.target], 0)
            kept = max(float(count), least)
            forth = math.log(kept / max(float(option.source_count - ours), kept))
            back = math.log(kept / max(float(option.target_count - theirs), kept))
            found.append(AdjustedOption(number, count, float(np.float32(forth)), float(np.float32(back))))
    return found
