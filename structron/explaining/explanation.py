"""The parts of an explanation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from structron import _core
from structron.engine.rows import Rows


class Named(NamedTuple):
    """A feature that fires: what it sees, its key, the column of weights and its value."""

    name: str
    key: int
    column: int
    value: float


@dataclass(frozen=True)
class Weighed:
    """A feature with what it adds to the score of the guess, and to that of the runner-up."""

    name: str
    guess: float
    runner_up: float

    @property
    def difference(self) -> float:
        """The sum for the guess minus the sum for the runner-up."""
        return self.guess - self.runner_up


@dataclass(frozen=True)
class Decision:
    """A decision: what it is about, what was chosen, and the next best choice in its place.

    Attributes
    ----------
    about
        Where it was taken.
    guess, runner_up
        What was chosen, and the best other choice after the same history; None if there was no other.
    score, runner_up_score
        What each adds to the score of the output: the sums over `features`.
    features
        By name, those that tell the two apart most first.
    """

    about: str
    guess: str
    runner_up: str | None
    score: float
    runner_up_score: float
    features: tuple[Weighed, ...]

    @property
    def margin(self) -> float:
        """The lead of the guess; negative where what came later made up for it."""
        return self.score - self.runner_up_score


@dataclass(frozen=True)
class Explanation:
    """An explanation of an output.

    Attributes
    ----------
    output
        What was chosen, for the eye.
    score
        What the engine says of it.
    decisions
        In the order in which they were taken; their scores add up to `score`.
    """

    output: str
    score: float
    decisions: tuple[Decision, ...]

    @property
    def sum(self) -> float:
        """The sum of the explained weights: the score, but for rounding."""
        return float(sum(each.score for each in self.decisions))

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


class WeightTable:
    """The weights of a model, looked up by key."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._seen: dict[int, dict[int, float]] = {}

    def row(self, key: int) -> dict[int, float]:
        """Return the weights of one feature by column; nothing if it has none."""
        found = self._seen.get(key)
        if found is None:
            keys, offsets, columns, weights, dense = self._rows
            if key == _core.Weights.DENSE:
                found = self._seen[key] = dict(enumerate(dense.astype(np.float64).tolist()))
                return found
            at = int(np.searchsorted(keys, np.uint64(key)))
            found = {}
            if at < len(keys) and int(keys[at]) == key:
                cells = slice(int(offsets[at]), int(offsets[at + 1]))
                found = dict(zip(columns[cells].tolist(), weights[cells].astype(np.float64).tolist()))
            self._seen[key] = found
        return found

    def weigh(self, features: Iterable[Named]) -> dict[str, float]:
        """Return the contribution of each feature, by its name."""
        sums: dict[str, float] = {}
        for name, key, column, value in features:
            sums[name] = sums.get(name, 0.0) + value * self.row(key).get(column, 0.0)
        return sums


def decided(
    about: str, guess: tuple[str, dict[str, float]], others: Iterable[tuple[str, dict[str, float]]]
) -> Decision:
    """Return a decision from what was chosen and all alternatives, each with what its features add."""
    name, own = guess
    best: tuple[str | None, dict[str, float]] = (None, {})
    highest = -np.inf
    for other, found in others:
        total = sum(found.values())
        if total > highest:  # ties go to the first, as in search
            best, highest = (other, found), total
    features = [Weighed(each, own.get(each, 0.0), best[1].get(each, 0.0)) for each in {**own, **best[1]}]
    told = [each for each in features if each.guess or each.runner_up]
    told.sort(key=lambda each: (-abs(each.difference), -abs(each.guess), each.name))
    score, other_score = float(sum(own.values())), float(sum(best[1].values()))
    return Decision(about, name, best[0], score, other_score, tuple(told))


def joined(parts: Iterable[Explanation]) -> Explanation:
    """Join several explanations into one."""
    each = list(parts)
    outputs = dict.fromkeys(one.output for one in each) if not any(one.decisions for one in each) else None
    return Explanation(
        " ".join(outputs if outputs is not None else [one.output for one in each]),
        sum(one.score for one in each),
        tuple(decision for one in each for decision in one.decisions),
    )
