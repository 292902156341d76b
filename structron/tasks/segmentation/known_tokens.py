"""Tokens of several units that the training data have: a dictionary, kept as keys of their beginnings.

What is known of a unit is a word of three digits: how many units the longest known token has that begins with
it, and that ends with it (0 for none, at most 9), and whether it is inside of one.

A token that is learned from is always among those of the training data, and one of new text often is not. So
while it learns, a model is shown only tokens that were seen twice: each of them would be known without this
one occurrence of it. Afterwards all are known.
`core/tasks/segmentation/known_tokens.hpp` does the same, faster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from structron.features.keys import combine, hash_bytes
from structron.tasks.segmentation.units import Unit, spelled, word

START, BLANK = 0x4B4E4F574E544F4B, 0x20
LONGEST = 9
OFTEN = 255  # beyond it nobody counts
MOST_UNITS = 32  # of a token that is worth knowing


class KnownTokens(NamedTuple):
    """Keys of runs of units in increasing order, and how often each was a token; 0: the beginning of one."""

    keys: npt.NDArray[np.uint64]
    whole: npt.NDArray[np.uint8]

    @classmethod
    def empty(cls) -> KnownTokens:
        """None is known."""
        return cls(np.empty(0, np.uint64), np.empty(0, np.uint8))

    @classmethod
    def observed(cls, tokens: Iterable[tuple[str, Sequence[Unit]]]) -> KnownTokens:
        """Those of two units or more; each comes with its text and its units."""
        times: Counter[tuple[str, ...]] = Counter()
        for text, units in tokens:
            if 1 < len(units) <= MOST_UNITS:
                # A blank between two units is part of the second.
                first, *others = units
                times[(spelled(text, first), *(word(text, unit) for unit in others))] += 1
        found: dict[int, int] = {}
        for words, count in times.items():
            *beginnings, whole = _keys(words)
            for key in beginnings:
                found.setdefault(key, 0)
            found[whole] = min(count, OFTEN)
        order = sorted(found)
        return cls(np.array(order, np.uint64), np.array([found[key] for key in order], np.uint8))

    def seen(self, at_least: int) -> KnownTokens:
        """Only those that were seen so often."""
        return self._replace(whole=(self.whole >= max(at_least, 1)).astype(np.uint8))


def _keys(words: Sequence[str]) -> list[int]:
    """The keys of the first unit, of the first two, and so on."""
    keys, key = [], START
    for each in words:
        value = hash_bytes(each.removeprefix(" ").encode())
        key = combine(key, value ^ BLANK if each[0] == " " else value)
        keys.append(key)
    return keys


def look_up(known: KnownTokens, text: str, units: Sequence[Unit]) -> list[str]:
    """What is known of each unit."""
    runs = dict(zip(known.keys.tolist(), known.whole.tolist()))
    begins, ends, inside = [0] * len(units), [0] * len(units), [0] * len(units)
    for i in range(len(units)):
        key = combine(START, hash_bytes(spelled(text, units[i]).encode()))
        for k in range(i + 1, len(units)):
            if key not in runs:
                break
            value = hash_bytes(spelled(text, units[k]).encode())
            key = combine(key, value ^ BLANK if units[k].white else value)
            if runs.get(key):
                begins[i] = k - i + 1
                ends[k] = max(ends[k], k - i + 1)
                inside[i + 1 : k] = [1] * (k - i - 1)
    return [f"{min(b, LONGEST)}{min(e, LONGEST)}{m}" for b, e, m in zip(begins, ends, inside)]
