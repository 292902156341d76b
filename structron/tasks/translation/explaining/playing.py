"""Translators in the playground: the film of their stacks, and what each item has said of which words."""

from __future__ import annotations

from typing import Any

import numpy as np

from structron.reference.sequence.trace import Trace
from structron.serve.json_forms import Json
from structron.serve.play.beams import beams
from structron.serve.play.task_play import Examples, Play
from structron.serve.registry import Loaded
from structron.synthetic import generate_pairs


class Translation(Play):
    """A sentence in another language, by phrases; by rules with gaps there are no stacks to show."""

    small_models = (("translator", 400, {"epochs": 1, "search": "beam:8"}),)

    def film(self, model: Loaded, x: Any, given: Json) -> Json:
        """Return the stacks, with the source words that are covered and the phrases that cover them."""
        gold = None if given is None else self.gold(model, x, given)
        trace = model.estimator.trace(x, gold)
        if not isinstance(trace, Trace):
            return super().film(model, x, given)
        namer: Any = model.estimator.account(x).namer
        shown = {"words": list(namer.space.source), "guess": self.guess(model, x), "gold": given}
        options = namer.space.options

        def grow(phrases: list[Json], state: Any, action: int) -> list[Json]:
            option = options[action]
            return [*phrases, [option.start, option.end, " ".join(option.target)]]

        return shown | beams(trace, namer, gold is not None, grow) | {"kind": "stacks"}

    def examples(self, count: int, seed: int) -> Examples:
        """Make up German sentences with their English."""
        pairs = generate_pairs(count, np.random.default_rng(seed))
        return [source for source, _ in pairs], [target for _, target in pairs]


PLAY = Translation()
