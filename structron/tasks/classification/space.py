"""The search space of one input: the definition of classification.

It has a single step, whose action is the label. With two labels, or if any number of labels may be right,
each step decides between no and yes, and only yes has features: w · x > 0 means yes (Rosenblatt 1958).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from structron.reference.sequence.trace import Path


class ClassificationSpace:
    """The search space of one input, in plain Python.

    Parameters
    ----------
    values
        The values of the features of the input, by key.
    labels
        The number of labels.
    many
        Allow any number of labels.
    """

    def __init__(self, values: Mapping[int, float], labels: int, many: bool = False) -> None:
        self.values = values
        self._steps = labels if many else 1
        self._yes_or_no = many or labels == 2
        self._actions = 2 if self._yes_or_no else labels

    def initial(self) -> int:
        """Return the state before any decision."""
        return 0

    def actions(self, state: int) -> Sequence[int]:
        """Return the labels, or no and yes."""
        return [] if self.is_final(state) else range(self._actions)

    def advance(self, state: int, action: int) -> int:
        """Return the state after a decision."""
        return state + 1

    def features(self, state: int, action: int) -> Iterator[tuple[tuple[int, int], float]]:
        """Yield pairs of (key, label); only labels chosen by yes have features."""
        if self._yes_or_no and action == 0:
            return
        column = state if self._yes_or_no else action
        for key, value in self.values.items():
            yield (key, column), value

    def merge_key(self, state: int) -> int:
        """Return a constant, since decisions do not depend on each other."""
        return 0

    def step(self, state: int) -> int:
        """Return the number of decisions taken."""
        return state

    def loss(self, gold: Path, guess: Path) -> float:
        """Count the decisions that differ."""
        return float(sum(a != b for a, b in zip(gold.actions, guess.actions)))

    def is_final(self, state: int) -> bool:
        """Return True if all is decided."""
        return state >= self._steps


class LabelOracle:
    """The right action of each step."""

    def __init__(self, actions: Sequence[int]) -> None:
        self.actions = actions

    def allows(self, state: int, action: int) -> bool:
        """Return True if it is the right action."""
        return self.actions[state] == action
