"""Which words a model knows by themselves: no vocabulary is stored, but a word that was learned has a row.

A task says by a method `word_key` where that row is; one that has none cannot tell.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from structron.model import Model


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
    key = getattr(model.task, "word_key", None)
    if key is None or key("") is None:
        return None
    return WeightedWords(model, key)
