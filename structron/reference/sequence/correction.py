"""The smallest change of the weights that makes some examples right and keeps others right.

    minimise  Σ cost_f (w'_f - w_f)² / 2
    so that   w' · ΔΦ ≥ margin · loss   for every wrong output of an example that is corrected,
              w' · ΔΦ ≥ 0               for every wrong output of an example that is kept,

where ΔΦ = Φ(gold) - Φ(guess), and every example that is kept was right before. A feature costs 1 and more
if it is seen in what is kept: then the scores of all that move as little as they can, and rare features do
what has to be done. Where nothing is kept all features cost 1.

There are too many outputs to list. So, as in MIRA, search finds the constraints: all examples are decoded
with the weights as they stand, those that are corrected with the margin in the search; what is wrong gives
one more constraint each; the programme is solved again from the weights that training left, and so on, until
nothing is wrong. With exact search that is the smallest change. With a beam, gold may also fall off before
the end: then gold must lead its row there. Corrections that are wrong after all rounds are given up, and the
rounds begin anew with the others, so that what is kept stays right in any case.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from structron.reference.learners.closest import closest
from structron.reference.learners.violations import Violation, compare, hybrid
from structron.reference.learners.weights import Weights
from structron.reference.sequence.bins import is_gold
from structron.reference.sequence.search import SearchName, decode
from structron.reference.sequence.spaces import SparseVector
from structron.reference.sequence.training import Example

# Constraints are met by this share of the margin more than is asked for: scores are rounded, and ties count
# as wrong.
SLACK = 0.05
ROUNDS = 300

ALIKE, SEARCH, ILLEGAL, CONTRADICTION, UNSETTLED = "alike", "search", "illegal", "contradiction", "unsettled"


class Constraint(NamedTuple):
    """An inequality ``change · delta ≥ lacking``, and the example that it comes from.

    Those that are kept are numbered after those that are corrected.
    """

    example: int
    delta: SparseVector
    lacking: float


@dataclass
class Corrected:
    """The change, and what became of each correction.

    Attributes
    ----------
    change
        What to add to the weights.
    reasons
        Why each correction is not possible; empty for those that hold. ``alike``: gold and a wrong output
        have the same features. ``search``: gold scores best and search loses it. ``illegal``: no derivation
        is gold. ``contradiction``: no weights meet it together with the others. ``unsettled``: it was still
        wrong when the rounds ran out.
    constraints, alphas
        The active set, and how far the change goes along each difference.
    rounds
        How often the examples were decoded.
    """

    change: SparseVector = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    alphas: list[float] = field(default_factory=list)
    rounds: int = 0

    @property
    def hold(self) -> int:
        """Return how many corrections hold."""
        return sum(not reason for reason in self.reasons)


def correct(
    examples: Sequence[Example],
    kept: Sequence[Example],
    weights: Weights,
    *,
    search: SearchName = "exact",
    margin: float = 1.0,
    rounds: int = ROUNDS,
    costs: Mapping[Hashable, float] | None = None,
) -> Corrected:
    """Return the smallest change of `weights` after which `examples` are right by a margin.

    Parameters
    ----------
    examples
        What is corrected: spaces, each with the oracle of what is right.
    kept
        What stays right. Those that are wrong before the change ask for nothing.
    margin
        How far gold must be ahead, for each wrong action.
    costs
        What it costs to change the weight of a feature, where that is not 1.
    """
    both, most = [*examples, *kept], rounds
    found = Corrected(reasons=[""] * len(both))
    for number in range(len(examples), len(both)):
        if not _is_right(both[number], weights, search):
            found.reasons[number] = UNSETTLED
    settle = partial(_solve, found, len(examples), SLACK * margin / 2, costs)
    while _round(found, both, len(examples), weights, search, margin):
        settle()
        if found.rounds >= most:
            if not _cut_short(found, both, len(examples), _moved(weights, found.change), search):
                break
            settle()
            most += rounds
    found.reasons = found.reasons[: len(examples)]
    return found


def _round(
    found: Corrected,
    both: Sequence[Example],
    corrected: int,
    weights: Weights,
    search: SearchName,
    margin: float,
) -> bool:
    """Decode all examples, and add what is wrong to the constraints; False if nothing is."""
    found.rounds += 1
    now, new = _moved(weights, found.change), []
    for number, example in enumerate(both):
        if not found.reasons[number]:
            violation = _missing(example, now, search, margin if number < corrected else 0.0)
            if isinstance(violation, str):
                found.reasons[number] = violation
            elif violation is not None:
                new.append(_constraint(number, violation, found, margin))
    found.constraints += [each for each in new if each is not None]
    return bool(new)


def _cut_short(
    found: Corrected, both: Sequence[Example], corrected: int, now: Weights, search: SearchName
) -> bool:
    """Give up what is still wrong after all rounds, so that what is kept stays right; False if all is right.

    Where all corrections are right and something that is kept is not, that is the correction along which the
    change went farthest.
    """
    wrong = [n for n, e in enumerate(both) if not found.reasons[n] and not _is_right(e, now, search)]
    unsettled = [number for number in wrong if number < corrected]
    if wrong and not unsettled:
        culprit = _culprit(found, found.alphas, corrected)
        asking = {each.example for each in found.constraints if each.example < corrected}
        unsettled = sorted(asking) if culprit is None else [culprit]
    for number in unsettled:
        found.reasons[number] = UNSETTLED
    found.constraints = [each for each in found.constraints if each.example not in unsettled]
    return bool(unsettled)


def _constraint(number: int, violation: Violation, found: Corrected, margin: float) -> Constraint | None:
    """Return the constraint of a violation on the change; give up an example whose features are alike."""
    if not violation.delta:
        found.reasons[number] = ALIKE
        return None
    already = sum(value * found.change.get(name, 0.0) for name, value in violation.delta.items())
    return Constraint(number, violation.delta, violation.excess + SLACK * margin + already)


def _missing(example: Example, now: Weights, search: SearchName, margin: float) -> Violation | str | None:
    """Return the violation of an example; None if it is right, a reason if nothing can be done."""
    space, oracle = example
    trace = decode(space, now, search, oracle, margin)
    if trace.final < 0 or trace.best_is_gold[-1]:
        return None
    if np.isnan(trace.gold_score[-1]):
        return ILLEGAL
    step = hybrid(trace)
    if step is None:
        return SEARCH
    assert isinstance(step, int)
    return compare(space, trace.gold(step), trace.best(step))


def _is_right(example: Example, weights: Weights, search: SearchName) -> bool:
    space, oracle = example
    trace: Any = decode(space, weights, search)
    return trace.final < 0 or is_gold(oracle, trace.best(trace.final))


def _moved(weights: Weights, change: SparseVector) -> Weights:
    now = Weights(dict(weights.items()))
    now.add(change)
    return now


def _solve(
    found: Corrected, corrected: int, tolerance: float, costs: Mapping[Hashable, float] | None
) -> None:
    """Solve the programme; while there is no solution, give up the correction with the greatest α.

    Where no correction asks for anything, what is kept is right without a change.
    """
    while True:
        if all(each.example >= corrected for each in found.constraints):
            found.constraints = []
        deltas, lacking = [c.delta for c in found.constraints], [c.lacking for c in found.constraints]
        solved = closest(deltas, lacking, costs=costs)
        if solved.met(tolerance):
            break
        culprit = _culprit(found, solved.alphas, corrected)
        if culprit is None:
            break
        found.reasons[culprit] = CONTRADICTION
        found.constraints = [each for each in found.constraints if each.example != culprit]
    found.change, found.alphas = solved.change, solved.alphas


def _culprit(found: Corrected, alphas: Sequence[float], corrected: int) -> int | None:
    """Return the correction along which the change went farthest, of equals the later."""
    far: dict[int, float] = {}
    for each, alpha in zip(found.constraints, alphas):
        if each.example < corrected and alpha > 0.0:
            far[each.example] = max(far.get(each.example, 0.0), alpha)
    return max(far, key=lambda number: (far[number], number), default=None)
