"""Learners: each maps violations to one sparse change of the weights, without side effects."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from structron.reference.checks.hooks import LEARNER
from structron.reference.learners.violations import Violation
from structron.reference.sequence.spaces import SparseVector


class Learner(Protocol):
    """The interface that training needs of a learner.

    It may also have (`structron.reference.checks.hooks` has the defaults; a name that is nearly one of
    these is
    refused)

    - a `margin`: how far gold must be ahead, for each wrong action (cost-augmented search);
    - `constraints`: how many guesses of the chosen row it wants to see, 1 if it says nothing;
    - `close_calls`: whether it wants to see the last row where the update method finds nothing to fix;
    - `substructures(gold, guess)`: which sets of positions make mixed assignments, for a learner that wants
      to see those in place of the guess (see `structron.reference.learners.swvp`), and
      `accepts(violations)`: whether
      it can do anything with them;
    - `excess(violations)`: the excess of the update it makes for one example's violations, below 0 if it is
      invalid, None if it makes none. A learner without it fixes the first violation;
    - `excesses(batch)`: the same for each example of a batch, for a learner whose update on one example
      depends on the others;
    - `grown(seen)`: the margin after so many examples, if it grows;
    - `sums`: whether gold and guess are expectations over all outputs; what grows is then the temperature.
    """

    def change(self, violations: Sequence[Violation]) -> SparseVector:
        """Return the change of the weights for these violations, all found with the same weights."""
        ...


def margin_of(learner: Learner, seen: int = 0) -> float:
    """Return the learner's margin after a number of examples; by default 0, plain search."""
    grown = LEARNER.of(learner, "grown")
    return float(LEARNER.of(learner, "margin") if grown is None else grown(seen))


def sums_up(learner: Learner) -> bool:
    """Return True if a learner wants expectations over all outputs in place of the best."""
    return bool(LEARNER.of(learner, "sums"))


def constraints_of(learner: Learner) -> int:
    """Return how many guesses a learner wants to see."""
    return int(LEARNER.of(learner, "constraints"))


def wants_close_calls(learner: Learner) -> bool:
    """Return True if a learner wants to see the last row when there is nothing to fix."""
    return bool(LEARNER.of(learner, "close_calls"))


def excess_of(learner: Learner, found: Sequence[Violation]) -> float | None:
    """Return the excess of the update that a learner makes for one example; None if it makes none."""
    if not found:
        return None
    judge = LEARNER.of(learner, "excess")
    return found[0].excess if judge is None else judge(found)


def excesses_of(learner: Learner, batch: Sequence[Sequence[Violation]]) -> list[float | None]:
    """Return the excess of the update on each example of a batch; None if there is none."""
    judge = LEARNER.of(learner, "excesses")
    if judge is None or not any(batch):
        return [excess_of(learner, found) for found in batch]
    found: list[float | None] = judge(batch)
    return found


def means(violations: Sequence[Violation]) -> list[Violation]:
    """Return one for each example: the mean of its violations; its first where it has none."""
    found = []
    for _, group in groupby(violations, key=lambda each: each.example):
        pairs = list(group)
        used = [each for each in pairs if each.excess >= 0] or pairs[:1]
        delta: SparseVector = {}
        for each in used:
            for name, value in each.delta.items():
                delta[name] = delta.get(name, 0.0) + value / len(used)
        found.append(pairs[0]._replace(delta=delta))
    return found


@dataclass(frozen=True)
class Perceptron:
    """w ← w + ΔΦ (Collins 2002; line 5 of Algorithms 1 and 2), of one violation.

    For several violations, found with the same weights, each feature moves by the mean over those it
    appears in: those that share a feature ask for the same thing, and one of them would have been enough; a
    rare feature moves as far as it would alone (Défossez & Bach 2017 add up sparse gradients so). With `mean`
    all features move by the mean over all violations (Zhao & Huang 2013), to which Theorem 1 applies: the
    mean of violations is a violation.

    With a margin m, search is cost-augmented: it looks for the greatest w · Φ(z) + m · loss(z), and an update
    is valid if w · ΔΦ ≤ m · loss. The proof of Theorem 1 then gives at most (R² + 2 m L) / δ² updates, L
    being the greatest loss. From zero the step size changes nothing but the size of the weights; it matters
    where training starts from others.

    With several `guesses`, an example moves by the mean over those of the k best of its bin that are
    violations, which is a convex combination of them, and so a violation (Huang et al. 2012, footnote 2).
    With the update of LaSO that is LaSO's own step (Daumé & Marcu 2005). Theorem 1 holds for it where
    prefixes of one step are separable: to separate the next actions of gold, as they had it, is not enough,
    which is what Xu, Fern & Yoon (2009) corrected.
    """

    margin: float = 0.0
    step: float = 1.0
    mean: bool = False
    guesses: int = 1

    @property
    def constraints(self) -> int:
        """Return the number of guesses to look at."""
        return self.guesses

    def change(self, violations: Sequence[Violation]) -> SparseVector:
        """Return ΔΦ times the step; for several violations the mean."""
        if self.guesses > 1:
            violations = means(violations)
        total: SparseVector = {}
        among: dict[Hashable, int] = {}
        for violation in violations:
            for name, value in violation.delta.items():
                total[name] = total.get(name, 0.0) + value
                among[name] = among.get(name, 0) + (value != 0.0)
        return {
            name: self.step * value / (len(violations) if self.mean else among[name])
            for name, value in total.items()
            if value != 0.0
        }
