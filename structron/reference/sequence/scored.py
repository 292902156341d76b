"""Sequences of labels whose scores come from outside: the definition of `structron.own.scores` for tagging.

A feature is a place in the table of scores, so that the scores are the weights, and what a violation says of
the weights is minus the gradient of its excess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from structron.reference.learners.weights import Weights

State = tuple[int, int]  # position and last label; at the start their number


@dataclass(frozen=True)
class ScoredTagging:
    """One input, and its gold.

    Attributes
    ----------
    length, labels
        How many positions and labels there are.
    gold
        The labels that are right.
    in_rows
        Whether two labels in a row have a score, too.
    """

    length: int
    labels: int
    gold: Sequence[int]
    in_rows: bool = False

    def initial(self) -> State:
        return 0, self.labels

    def actions(self, state: State) -> range:
        return range(self.labels if state[0] < self.length else 0)

    def advance(self, state: State, action: int) -> State:
        return state[0] + 1, action

    def features(self, state: State, action: int) -> dict[Any, float]:
        found: dict[Any, float] = {("score", state[0], action): 1.0}
        if self.in_rows:
            found["after", state[1], action] = 1.0
        return found

    def merge_key(self, state: State) -> int:
        return state[1] if self.in_rows else 0

    def step(self, state: State) -> int:
        return state[0]

    def is_final(self, state: State) -> bool:
        return state[0] == self.length

    def allows(self, state: State, action: int) -> bool:
        return bool(self.gold[state[0]] == action)


def weights_of(scores: Any, transitions: Any = None) -> Weights:
    """Return scores as weights."""
    weights = Weights()
    tables = {"score": scores} | ({} if transitions is None else {"after": transitions})
    for kind, table in tables.items():
        for i, row in enumerate(table):
            weights.add(((kind, i, y), float(x)) for y, x in enumerate(row) if x != 0)
    return weights
