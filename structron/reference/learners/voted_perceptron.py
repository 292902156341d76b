"""The voted perceptron (Freund & Schapire 1999, Fig. 1), for any search space.

Every weight vector that training has passed through votes for its own best output, as often as it has stood:
once for the example that made it, and once for each that it got right. Averaging (Collins 2002, Sec. 2.5) is
what is cheap of it. With two labels the votes are the signs of the paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from structron.errors import TaskError
from structron.reference.learners.learners import Learner
from structron.reference.learners.weights import Weights
from structron.reference.sequence.search import SearchName, decode
from structron.reference.sequence.spaces import SearchSpace
from structron.reference.sequence.training import Example, Shuffler, train

__all__ = ["Voted", "train_voted"]


@dataclass(frozen=True)
class Voted:
    """All weight vectors in the order of training, each with its number of votes."""

    vectors: Sequence[tuple[Weights, int]]
    search: SearchName

    def votes(self, space: SearchSpace[Any]) -> dict[tuple[int, ...], int]:
        """Count the votes of each output, by its actions, in the order in which they were first found."""
        found: Counter[tuple[int, ...]] = Counter()
        for weights, votes in self.vectors:
            trace = decode(space, weights, self.search)
            found[tuple(trace.best(trace.final).actions)] += votes
        return dict(found)

    def predict(self, space: SearchSpace[Any]) -> tuple[int, ...]:
        """Return the output with most votes; of equals the one that was found first."""
        votes = self.votes(space)
        if not votes:
            raise TaskError("nobody votes; train on at least one example")
        return max(votes, key=lambda output: votes[output])


def train_voted(
    examples: Sequence[Example],
    *,
    search: SearchName,
    update: str = "standard",
    learner: Learner | None = None,
    epochs: int = 1,
    rng: Shuffler | None = None,
) -> Voted:
    """Pass over the examples one by one, and keep every weight vector with how long it has stood."""
    weights, votes = Weights(), 0
    vectors: list[tuple[Weights, int]] = []
    order = list(range(len(examples)))
    for _ in range(epochs):
        if rng is not None:
            rng.shuffle(order)
        for i in order:
            before = Weights(dict(weights.items()))
            (epoch,) = train(
                [examples[i]], search=search, update=update, learner=learner, epochs=1, weights=weights
            )
            if not epoch.updates:
                votes += 1
                continue
            if votes:
                vectors.append((before, votes))
            votes = 1
    return Voted([*vectors, (weights, votes)] if votes else vectors, search)
