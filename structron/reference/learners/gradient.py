"""Stochastic gradients of regularised losses: the structured SVM and the conditional random field.

Both minimise c2 |w|² + Σ loss(x, gold), the objective of CRFsuite, over N examples: with λ = 2 c2 / N the
mean of λ/2 |w|² + loss. A step of length η takes w to (1 - λη) w + η ΔΦ (Pegasos: Shalev-Shwartz et al. 2007;
the schedule is that of Bottou). With η_t = 1 / T_t and T_t = 1/step + λ t, the product v = T w only adds up:

    v ← v + ΔΦ

So v is learned as a perceptron learns, and what grows is not the decay of w but T. For the SVM, w · ΔΦ ≥ loss
is v · ΔΦ ≥ T loss: T is the margin of cost-augmented search. For the CRF, p ∝ exp(v · Φ / T): T is the
temperature. A perceptron with margin m is the SVM with a step of 1/m and without regularisation. The average
of all v over the average of all T is the mean of all w by T, so the later ones count more
(Lacoste-Julien et al. 2012).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

from structron.reference.learners.violations import Violation
from structron.reference.sequence.spaces import SparseVector


@dataclass(frozen=True)
class SSVM:
    """The structured SVM by subgradient; exact search and the standard update find its subgradients.

    Attributes
    ----------
    c2
        How much |w|² weighs against the sum of all losses.
    step
        The length of the first steps.
    examples
        How many there are in one pass.
    """

    c2: float
    step: float
    examples: int

    sums = False

    def grown(self, seen: int) -> float:
        """Return the margin after a number of examples."""
        return 1.0 / self.step + 2.0 * self.c2 / self.examples * seen

    def change(self, violations: Sequence[Violation]) -> SparseVector:
        """Return the sum of all ΔΦ."""
        return _sum(violations)


@dataclass(frozen=True)
class CRF:
    """The conditional random field by stochastic gradient; gold and guess are expectations.

    The other attributes are those of `SSVM`; what grows is the temperature.

    Attributes
    ----------
    seen
        The features that may have a weight, such as those of gold; None: all.
    """

    c2: float
    step: float
    examples: int
    seen: Collection[Hashable] | None = None

    sums = True

    def grown(self, seen: int) -> float:
        """Return the temperature after a number of examples."""
        return 1.0 / self.step + 2.0 * self.c2 / self.examples * seen

    def change(self, violations: Sequence[Violation]) -> SparseVector:
        """Return the sum of all ΔΦ, of features that may have a weight."""
        total = _sum(violations)
        return total if self.seen is None else {name: x for name, x in total.items() if name in self.seen}


def _sum(violations: Sequence[Violation]) -> SparseVector:
    total: SparseVector = {}
    for violation in violations:
        for name, value in violation.delta.items():
            total[name] = total.get(name, 0.0) + value
    return {name: value for name, value in total.items() if value != 0.0}
