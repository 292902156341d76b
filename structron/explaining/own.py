"""Explanations of a search over a user's own space; nothing needs to be registered."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from structron.explaining.account import walked
from structron.explaining.explanation import Explanation, Named, WeightTable
from structron.reference import predict
from structron.reference.learners.weights import Weights
from structron.reference.sequence.spaces import SearchSpace


class SpaceNames:
    """A space whose features have names already; it may say what actions and states are called.

    A space with methods ``label(state, action)`` and ``about(state)`` is shown by their words, any other by
    the numbers of its actions and by its states as Python writes them.
    """

    def __init__(self, space: SearchSpace[Any]) -> None:
        self.space = space

    def features(self, state: Any, action: int) -> Iterable[Named]:
        """Return the features of the space; names that are not texts are written as Python does."""
        found = self.space.features(state, action)
        pairs = found.items() if isinstance(found, Mapping) else found
        # The name is the key: `NamedWeights` looks it up.
        return [Named(_text(name), name, 0, value) for name, value in pairs]  # type: ignore[arg-type]

    def about(self, state: Any) -> str:
        """Return where a decision is taken."""
        own = getattr(self.space, "about", None)
        return str(own(state) if callable(own) else state)

    def label(self, state: Any, action: int) -> str:
        """Return the name of an action."""
        own = getattr(self.space, "label", None)
        return str(own(state, action) if callable(own) else action)

    def columns(self) -> Sequence[str]:
        """Return one column: names stand for themselves."""
        return [""]

    def output(self, actions: Sequence[int]) -> str:
        """Return the actions by their names."""
        state, found = self.space.initial(), []
        for action in actions:
            found.append(self.label(state, action))
            state = self.space.advance(state, action)
        return " ".join(found)


class NamedWeights(WeightTable):
    """Weights of the definition, which are found by name."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    def row(self, key: Hashable) -> dict[int, float]:
        """Return the one weight of a feature."""
        return {0: self._weights[key]}


def explain_space(space: SearchSpace[Any], weights: Weights, search: Any) -> Explanation:
    """Explain, decision by decision, why search finds this path through a space best.

    Parameters
    ----------
    space
        Any task of one's own, as `structron.reference.train` takes it.
    weights, search
        As `structron.reference.predict` takes them.
    """
    namer, path = SpaceNames(space), predict(space, weights, search)
    decisions = tuple(walked(namer, path.actions, NamedWeights(weights)))
    return Explanation(namer.output(path.actions), float(path.score), decisions)


def _text(name: Hashable) -> str:
    return name if isinstance(name, str) else repr(name)
