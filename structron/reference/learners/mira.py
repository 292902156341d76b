"""MIRA: the smallest change that puts gold ahead of each guess by its loss."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from structron.reference.learners.hildreth import gram, hildreth
from structron.reference.learners.violations import Violation
from structron.reference.sequence.spaces import SparseVector

# No update if no constraint is short by more than this. A step leaves gold ahead by exactly the loss, and
# weights that are floats, as the engine's, would otherwise find it short again by a rounding error.
MET = 1e-4


@dataclass(frozen=True)
class Mira:
    """``w ← argmin |w' - w|² / 2`` with ``w' · ΔΦ_j ≥ loss_j`` for the k best guesses (McDonald et al. 2005).

    With k = 1 this is the passive-aggressive update (Crammer et al. 2006), in closed form.

    Parameters
    ----------
    k
        How many guesses of the chosen row are constraints; those that are gold are left out.
    C
        A cap on every α, as in PA-I; infinite: the constraints are hard.
    augmented
        Cost-augmented search with margin 1: the constraints are those that are violated most. The loss of a
        guess is then the number of its wrong actions, which search has already put into its excess.
    squared
        In place of the cap, C Σ (what constraint j still lacks)² is added to what is made small: PA-II
        (Crammer et al. 2006, Fig. 1). In the dual every ``|ΔΦ|²`` grows by 1/2C.
    """

    k: int = 1
    C: float = math.inf
    augmented: bool = False
    squared: bool = False

    close_calls = True

    @property
    def margin(self) -> float:
        """Return the extra score of a wrong action in search."""
        return 1.0 if self.augmented else 0.0

    @property
    def constraints(self) -> int:
        """Return the number of guesses to look at."""
        return self.k

    def short(self, violation: Violation) -> float:
        """Return how much w · ΔΦ is short of the loss."""
        return violation.excess + (0.0 if self.augmented else violation.loss)

    def alphas(self, violations: Sequence[Violation]) -> list[float]:
        """Return the step along each ΔΦ."""
        b = [self.short(each) for each in violations]
        if max(b) <= MET:
            return [0.0] * len(b)
        soft, cap = (0.5 / self.C, math.inf) if self.squared else (0.0, self.C)
        if len(b) == 1:
            size = sum(value * value for value in violations[0].delta.values())
            return [min(max(0.0, b[0] / (size + soft)), cap) if size > 0.0 else 0.0]
        products = gram([each.delta for each in violations])
        for j, row in enumerate(products):
            row[j] += soft if row[j] > 0.0 else 0.0
        return hildreth(products, b, cap)

    def change(self, violations: Sequence[Violation]) -> SparseVector:
        """Return Σ α ΔΦ; the violations of several examples are constraints of one problem."""
        total: SparseVector = {}
        for alpha, violation in zip(self.alphas(violations), violations):
            if alpha > 0.0:
                for name, value in violation.delta.items():
                    total[name] = total.get(name, 0.0) + alpha * value
        return {name: value for name, value in total.items() if value != 0.0}

    def excess(self, violations: Sequence[Violation]) -> float | None:
        """Return the greatest shortfall among the constraints; None if all are met and nothing moves.

        Constraints that are met, but would not be after what other examples of the batch change, are short by
        nothing: such an update is not invalid.
        """
        return self.excesses([violations])[0]

    def excesses(self, batch: Sequence[Sequence[Violation]]) -> list[float | None]:
        """Return `excess` for each example of a batch, whose constraints belong to one problem."""
        alphas = iter(self.alphas([each for found in batch for each in found]))
        moves = [sum(next(alphas) > 0.0 for _ in found) > 0 for found in batch]
        return [max(0.0, *map(self.short, found)) if moved else None for found, moved in zip(batch, moves)]
