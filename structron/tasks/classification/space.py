"""One input of a classification task as the definition sees it: a single step, whose action is the label.

With two labels, or where any number of labels may be right, each step is a decision of no or yes, and only
yes has features: w · x > 0 is yes, as Rosenblatt (1958) has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from structron.reference.sequence.trace import Path


class ClassificationSpace:
    """The search space of one input, in plain Python.

    Parameters
    ----------
    values
        The features of the input, by their keys.
    labels
        How many there are.
    many
        Whether any number of them may be right.
    """

    def __init__(self, values: Mapping[int, float], labels: int, many: bool = False) -> None:
        self.values = values
        self._steps = labels if many else 1
        self._yes_or_no = many or labels == 2
        self._actions = 2 if self._yes_or_no else labels

    def initial(self) -> int:
        """Nothing is decided yet."""
        return 0

    def actions(self, state: int) -> Sequence[int]:
        """The labels, or no and yes."""
        return [] if self.is_final(state) else range(self._actions)

    def advance(self, state: int, action: int) -> int:
        """One decision further."""
        return state + 1

    def features(self, state: int, action: int) -> Iterator[tuple[tuple[int, int], float]]:
        """Pairs of (key, label); a label that is not chosen by yes has none."""
        if self._yes_or_no and action == 0:
            return
        column = state if self._yes_or_no else action
        for key, value in self.values.items():
            yield (key, column), value

    def merge_key(self, state: int) -> int:
        """Decisions do not depend on each other."""
        return 0

    def step(self, state: int) -> int:
        """Decisions taken."""
        return state

    def loss(self, gold: Path, guess: Path) -> float:
        """How many decisions differ."""
        return float(sum(a != b for a, b in zip(gold.actions, guess.actions)))

    def is_final(self, state: int) -> bool:
        """Whether all is decided."""
        return state >= self._steps


class LabelOracle:
    """The right actions, one for each step."""

    def __init__(self, actions: Sequence[int]) -> None:
        self.actions = actions

    def allows(self, state: int, action: int) -> bool:
        """Whether it is the right one."""
        return self.actions[state] == action
