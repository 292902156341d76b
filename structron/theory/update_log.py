"""A log of updates: a wrapped learner updates the weights as usual, and every update is recorded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from structron.reference.checks.hooks import LEARNER
from structron.reference.learners.learners import Learner, margin_of
from structron.reference.learners.violations import Violation
from structron.reference.learners.weights import SparseVector, Weights

# Sums of γ and of products of weights are right up to rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class UpdateRecord:
    """One update, with what the theorems ask of it.

    Attributes
    ----------
    change
        The change of the weights.
    product
        w · change, with the weights before it.
    allowed
        The greatest product that the proof allows: 0, or a margin times the loss of the update.
    gammas
        The weight of every pair it was made of; (1,) for the plain update.
    on_mixed
        Whether it was made of mixed assignments, and not of the plain pair of gold and guess.
    norm
        The length of the weights after it.
    """

    change: SparseVector
    product: float
    allowed: float
    gammas: tuple[float, ...]
    on_mixed: bool
    norm: float

    @property
    def valid(self) -> bool:
        """Return True if it fixed a violation: condition (2) of Definition 3, for sums too."""
        return self.product <= self.allowed + _ROUNDING * max(1.0, abs(self.product), self.allowed)

    @property
    def shares(self) -> bool:
        """Test condition (1): no γ is negative and their sum is 1."""
        return min(self.gammas) >= 0 and math.isclose(sum(self.gammas), 1.0, abs_tol=_ROUNDING)


class RecordingLearner:
    """A wrapper of a learner that records its updates.

    Parameters
    ----------
    learner
        The learner that makes the updates.
    weights
        The weights that are updated.
    """

    def __init__(self, learner: Learner, weights: Weights) -> None:
        LEARNER.check_names(learner)  # training sees only the wrapper
        self.learner, self.weights = learner, weights
        self.updates: list[UpdateRecord] = []
        self._norm_square = weights.norm() ** 2
        self._mixed = False

    def __getattr__(self, name: str) -> Any:
        # Training uses more of a learner than `change`: margin, constraints, substructures, ...
        if name.startswith("__"):
            raise AttributeError(name)
        asked = getattr(self.learner, name)
        return self._accepts if name == "accepts" else asked

    def _accepts(self, violations: Sequence[Violation]) -> bool:
        """Return True if mixed assignments are used; if not, the plain pair of gold and guess comes next."""
        learner: Any = self.learner
        self._mixed = bool(learner.accepts(violations))
        return self._mixed

    def change(self, violations: Sequence[Violation]) -> SparseVector:
        """Return the learner's own change."""
        change = self.learner.change(violations)
        gammas, margin = self._gammas(violations)
        product = self.weights.score(change)
        self._norm_square += 2 * product + sum(value * value for value in change.values())
        loss = sum(gamma * violation.loss for gamma, violation in zip(gammas, violations))
        norm = math.sqrt(max(0.0, self._norm_square))
        self.updates.append(UpdateRecord(change, product, margin * loss, gammas, self._mixed, norm))
        self._mixed = False
        return change

    def _gammas(self, violations: Sequence[Violation]) -> tuple[tuple[float, ...], float]:
        """Return the weight of each pair, and the margin that gold needs for each unit of loss."""
        learner: Any = self.learner
        if hasattr(learner, "gammas"):
            return tuple(learner.gammas(violations)), margin_of(learner)
        if hasattr(learner, "alphas"):  # MIRA wants gold ahead by the loss itself
            return tuple(learner.alphas(violations)), 1.0
        return (1.0 / len(violations),) * len(violations), margin_of(learner)
