"""The Structured Weighted Violations Perceptron: Algorithm 2 of Dror & Reichart (2016)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from structron.reference.learners.hildreth import gram, simplex
from structron.reference.learners.substructures import Sets, Substructures, single
from structron.reference.learners.violations import Violation
from structron.reference.sequence.spaces import SparseVector

# SETGAMMA: violations and β to weights, which are normalised afterwards.
Gamma = Callable[[Sequence[Violation], float], Sequence[float]]


def weighted_margin(violations: Sequence[Violation], beta: float) -> list[float]:
    """Return ``|w · ΔΦ|^β`` (WM), or equal weights if all are 0, since the sum would be 0/0."""
    sizes = [abs(each.excess) for each in violations]
    greatest = max(sizes)
    return [(size / greatest) ** beta for size in sizes] if greatest > 0.0 else uniform(violations, beta)


def weighted_margin_rank(violations: Sequence[Violation], beta: float) -> list[float]:
    """Return ``((|JJ_x| - r) / |JJ_x|)^β`` (WMR); equal ``|w · ΔΦ|`` share a rank r, from 0."""
    sizes = [abs(each.excess) for each in violations]
    ranks = [sum(other > size for other in sizes) for size in sizes]
    return [((each.among - rank) / each.among) ** beta for each, rank in zip(violations, ranks)]


def uniform(violations: Sequence[Violation], beta: float) -> list[float]:
    """Return equal weights."""
    return [1.0] * len(violations)


def best(violations: Sequence[Violation], beta: float) -> list[float]:
    """Put all weight on the most violating; equals share it."""
    greatest = max(each.excess for each in violations)
    return [float(each.excess == greatest) for each in violations]


def optimal(violations: Sequence[Violation], beta: float) -> list[float]:
    """Return the γ that solves the margin problem over the mixed assignments.

    That is ``min |w' - w|² / 2 + max_J (loss_J - w' · ΔΦ_J)`` with w' = w + Σ γ ΔΦ: a step
    towards all margins.
    """
    return simplex(
        gram([each.delta for each in violations]), [each.excess + each.loss for each in violations]
    )


GAMMAS: Mapping[str, Gamma] = {
    "wm": weighted_margin,
    "wmr": weighted_margin_rank,
    "uniform": uniform,
    "best": best,
    "optimal": optimal,
}


@dataclass(frozen=True)
class SWVP:
    """w ← w + Σ_J γ(m^J) ΔΦ(m^J) over the mixed assignments of gold and guess.

    Condition (1), γ ≥ 0 with Σ γ = 1, holds unless `printed`. Condition (2), w · Σ γ ΔΦ ≤ 0, holds if the
    learner is aggressive or `enforced` and one mixed assignment is a violation. Where none is, the plain pair
    of gold and guess is fixed instead (Property 3).

    Parameters
    ----------
    jj
        The set of sub-structures, a function of `structron.reference.learners.substructures` or your own.
    gamma
        How they are weighed, a function of `GAMMAS` or your own.
    beta
        Sharpens the weights of WM and WMR.
    aggressive
        Use only violating mixed assignments (γ is computed on those alone, footnote 5); otherwise balanced.
    enforced
        Balanced: leave out the mixed assignment that violates least, one after the other, until condition (2)
        holds.
    printed
        Leave γ as computed: WMR is printed without the normalisation that condition (1) asks for.
    margin
        Cost-augmented search: gold must be ahead by so much for every wrong action.
    guesses
        Mix gold with each of so many guesses, and choose γ among all that comes of it: the inference of y*
        and the choice of γ are then one (Property 2 of Section 4.2).
    """

    jj: Substructures = single
    gamma: Gamma = weighted_margin
    beta: float = 1.0
    aggressive: bool = False
    enforced: bool = False
    printed: bool = False
    margin: float = 0.0
    guesses: int = 1

    @property
    def constraints(self) -> int:
        """Return how many guesses have mixed assignments."""
        return self.guesses

    def substructures(self, gold: Sequence[int], guess: Sequence[int]) -> Sets:
        """Return JJ_x of one pair."""
        return self.jj(gold, guess)

    def accepts(self, violations: Sequence[Violation]) -> bool:
        """Return True if a valid γ exists for these mixed assignments; if not, the plain pair is used."""
        return not (self.aggressive or self.enforced) or any(each.excess >= 0.0 for each in violations)

    def gammas(self, violations: Sequence[Violation]) -> list[float]:
        """Compute SETGAMMA for the mixed assignments of one example."""
        left = list(range(len(violations)))
        if self.aggressive:
            # |JJ_x| becomes |I^v|. Keep a plain pair that violates nothing, as in a standard update.
            left = [j for j in left if violations[j].excess >= 0.0] or left
        while True:
            among = len(left) if self.aggressive else violations[0].among
            kept = [violations[j]._replace(among=among) for j in left]
            raw = self.gamma(kept, self.beta)
            total = 1.0 if self.printed else sum(raw)
            found = [0.0] * len(violations)
            for j, weight in zip(left, raw):
                found[j] = weight / total
            if not self.enforced or len(left) == 1 or self._mean_excess(violations, found) >= 0.0:
                return found
            left.remove(min(reversed(left), key=lambda j: violations[j].excess))

    def change(self, violations: Sequence[Violation]) -> SparseVector:
        """Compute line 11 of Algorithm 2; for several examples the mean."""
        total: SparseVector = {}
        groups = [list(group) for _, group in groupby(violations, key=lambda each: each.example)]
        for group in groups:
            for gamma, violation in zip(self.gammas(group), group):
                for name, value in violation.delta.items():
                    total[name] = total.get(name, 0.0) + gamma * value / len(groups)
        return {name: value for name, value in total.items() if value != 0.0}

    def excess(self, violations: Sequence[Violation]) -> float:
        """Return Σ γ · excess: below 0 if condition (2) does not hold."""
        return self._mean_excess(violations, self.gammas(violations))

    @staticmethod
    def _mean_excess(violations: Sequence[Violation], gammas: Sequence[float]) -> float:
        return sum(gamma * each.excess for gamma, each in zip(gammas, violations))
