"""Words to sounds in the playground: the right target is typed, and any derivation of it is gold."""

from __future__ import annotations

from typing import Any

import numpy as np

from structron.io.formats.pairs import read_pairs
from structron.serve.json_forms import Json, text
from structron.serve.play.task_play import Examples, Play
from structron.serve.refusals import UNFIT, Refused
from structron.serve.registry import Loaded
from structron.synthetic import generate_spellings


class Transduction(Play):
    """A target for a source."""

    small_models = (("sounds", 400, {"epochs": 4}),)
    formats = "give lines of a word, a tab and its sounds, or a dictionary as CMU's"

    def gold(self, model: Loaded, x: Any, value: Json) -> Any:
        """Return a text, or symbols between blanks if the model learned from lists of them."""
        given = text(value, "gold", "the right target").strip()
        if not given:
            raise Refused(UNFIT, "gold: the right target is empty; give one, or null for none")
        return given if model.estimator.model_.about["script"]["text"] else given.split()

    def teaches(self, estimator: Any) -> bool:
        """Return True: a word and its sounds are all there is."""
        return bool(estimator.model_.about["script"]["text"])

    def words(self, model: Loaded, x: Any) -> list[str]:
        """Return the symbols."""
        return list(x)

    def examples(self, count: int, seed: int) -> Examples:
        """Make up spellings."""
        pairs = generate_spellings(count, np.random.default_rng(seed))
        return [pair.source for pair in pairs], [list(pair.targets) for pair in pairs]

    def read(self, given: str, most: int) -> Examples:
        """Read pairs."""
        return list(self.first(read_pairs, given, most)), None


PLAY = Transduction()
