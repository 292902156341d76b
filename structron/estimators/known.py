"""Which words a model knows by themselves: no vocabulary is stored, but a word that was learned has a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from structron.features.keys import MASK, combine, hash_bytes
from structron.model import Model
from structron.tasks.parsing import TreeTask
from structron.tasks.tagging import TaggingTask

_OF_PARSING = ("s0.w", "q0.w", "m.w")  # in transition systems and in graphs


class WeightedWords:
    """The words that have a weight of their own in a model: `in` asks for one.

    A word of the training data that never took part in a mistake has none, and with a cut a rare one has
    none either; so there are fewer than the training data have.
    """

    def __init__(self, model: Model[Any], key: Callable[[str], int]) -> None:
        self._keys, self._key = model.rows.keys, key
        self._found: dict[str, bool] = {}

    def __contains__(self, word: object) -> bool:
        found = self._found.get(str(word))
        if found is None:
            key = np.uint64(self._key(str(word)))
            at = int(np.searchsorted(self._keys, key))
            found = self._found[str(word)] = at < len(self._keys) and bool(self._keys[at] == key)
        return found


def weighted_words(model: Model[Any]) -> WeightedWords | None:
    """The words that a model knows; None if it cannot tell, as where features share rows."""
    task = model.task
    if not isinstance(task, TaggingTask | TreeTask) or task.bits:
        return None
    if isinstance(task, TaggingTask):
        base = hash_bytes(b"w[0]")
        has = "w[0]" in task.templates and not task.ready
        return WeightedWords(model, lambda word: combine(base, hash_bytes(word.encode()))) if has else None
    text = next((each for each in _OF_PARSING if each in task.templates), None)
    if text is None:
        return None
    start = hash_bytes(text.encode())
    return WeightedWords(model, lambda word: (start + hash_bytes(word.encode()) * (start | 1)) & MASK)
