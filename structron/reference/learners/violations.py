"""The update methods of Huang, Fayong & Guo (2012), Sections 4, 5 and 7.

A method reads the bins of a search (`structron.reference.sequence.bins`), which for a beam are its rows,
and names the
one to update on, or None. A bin is a violation (Definition 3) if its best item is not gold and scores at
least as much as the best gold item: ties count. Bins without gold are never violations. All methods but
`standard` return only violations. With one gold derivation the row where gold falls off is always one
(Lemma 3). With many, search may lose one derivation early and another late, and the model may prefer the lost
one to the whole beam; where items compete by more than their scores, gold may be lost although it scores
best. There is nothing to fix on such a row, and `early` goes on to the next row that is a violation.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structron.errors import SettingError
from structron.reference.checks.hooks import SPACE
from structron.reference.learners.weights import pairs
from structron.reference.sequence.bins import Bins, Derivation
from structron.reference.sequence.spaces import SparseVector

# From a `Bins` to the bin to update on, or to several on which there is one update, their sum.
Method = Callable[[Any], int | tuple[int, ...] | None]
# The same with shares that sum to 1: a convex combination, which is a violation where each is one (Huang et
# al. 2012, footnote 2).
OwnMethod = Callable[[Any], int | tuple[int, ...] | Mapping[int, float] | None]


class Violation(NamedTuple):
    """A pair of gold and guess, with the values a learner needs.

    Attributes
    ----------
    delta
        ΔΦ = Φ(gold) - Φ(guess).
    excess
        Guess minus gold, as search saw it: with cost-augmented search, the margin is in it.
    loss
        The task's loss between the two.
    example
        Which example it comes from; the violations of one example stand together.
    among
        For a mixed assignment, how many sub-structures there were, ``|JJ_x|``.
    """

    delta: SparseVector
    excess: float
    loss: float
    example: int = 0
    among: int = 1


def excess(trace: Bins) -> NDArray[np.float64]:
    """Return guess minus gold in every bin; NaN if either is missing."""
    return trace.best_score - trace.gold_score


def is_violation(trace: Bins) -> NDArray[np.bool_]:
    """Test Definition 3 in every bin: the best item is not gold, and w · ΔΦ ≤ 0."""
    # NaN compares as False, so bins without gold drop out here.
    return np.asarray(~trace.best_is_gold & (excess(trace) >= 0.0))


def fall_off(trace: Bins) -> int | None:
    """Return the first bin that has gold with none left in the search (line 5 of Algorithm 8; footnote 3)."""
    lost = np.flatnonzero(trace.fallen)
    return int(lost[0]) if lost.size else None


def standard(trace: Bins) -> int | None:
    """Choose the last bin if it is wrong (Algorithm 1); with inexact search this may be invalid."""
    if trace.final < 0 or trace.best_is_gold[-1] or np.isnan(excess(trace)[-1]):
        return None
    return trace.final


def skip(trace: Bins) -> int | None:
    """Choose the last bin if it is a violation, otherwise none (Zhang et al. 2013)."""
    return trace.final if trace.final >= 0 and is_violation(trace)[-1] else None


def early(trace: Bins) -> int | None:
    """Choose the bin where gold falls off; the last if it never does (Algorithms 6 and 8)."""
    rows = _from_fall_off(trace)
    return int(rows[0]) if rows.size else None


def latest(trace: Bins) -> int | None:
    """Choose the last violation after gold falls off; otherwise the last bin (Section 5, number 3)."""
    rows = _from_fall_off(trace)
    return int(rows[-1]) if rows.size else None


def hybrid(trace: Bins) -> int | None:
    """Choose the last bin if it is a violation, otherwise early (Section 5, number 1)."""
    if trace.final >= 0 and is_violation(trace)[-1]:
        return trace.final
    return early(trace)


def max_violation(trace: Bins) -> int | None:
    """Choose the greatest excess, of equals the later (Section 5, number 2); also on right outputs."""
    rows = np.flatnonzero(is_violation(trace))
    if not rows.size:
        return None
    amounts = excess(trace)[rows]
    return int(rows[amounts == amounts.max()][-1])


def parallel(trace: Bins) -> int | tuple[int, ...] | None:
    """Choose the greatest violation, then the greatest that does not overlap with it, and so on (Zhang et al.
    2013).

    Ties go to the later one. In a beam all overlap, so the result is max-violation.
    """
    amounts = excess(trace)
    violated = [int(step) for step in np.flatnonzero(is_violation(trace))]
    chosen: list[int] = []
    for step in sorted(violated, key=lambda each: (-amounts[each], -each)):
        begin, end = trace.span(step)
        if all(end <= other[0] or other[1] <= begin for other in map(trace.span, chosen)):
            chosen.append(step)
    return chosen[0] if len(chosen) == 1 else tuple(sorted(chosen)) or None


def _from_fall_off(trace: Bins) -> NDArray[np.intp]:
    """Return the violations that early and latest choose from."""
    fallen = trace.fallen
    if not fallen.any():
        fallen = np.arange(len(fallen)) == trace.final
    return np.flatnonzero(is_violation(trace) & fallen)


METHODS: Mapping[str, Method] = {
    "standard": standard,
    "skip": skip,
    "early": early,
    "hybrid": hybrid,
    "latest": latest,
    "max_violation": max_violation,
    "parallel": parallel,
}


def method(update: str | OwnMethod) -> OwnMethod:
    """Look up a prefix method by name, with hyphens or underscores."""
    if callable(update):
        return update
    found = METHODS.get(update.replace("-", "_"))
    if found is None:
        raise SettingError(f"update {update!r} is not known; use one of {', '.join(METHODS)}, laso")
    return found


def check_shares(shares: Mapping[int, float], where: str = "update") -> Mapping[int, float]:
    """Return shares of bins in the order of these; refuse what is no convex combination."""
    given = list(shares.values())
    if not given or not all(share > 0 for share in given) or not abs(sum(given) - 1.0) <= 1e-6:
        raise SettingError(
            f"{where}: shares {given} are no convex combination; give numbers above 0 of sum 1"
        )
    return dict(sorted(shares.items()))


def together(found: Sequence[Violation], shares: Sequence[float] | None = None) -> Violation:
    """Sum the violations of one example, each as often as its share says."""
    shares = [1.0] * len(found) if shares is None else shares
    delta: SparseVector = {}
    for each, share in zip(found, shares, strict=True):
        for name, value in each.delta.items():
            delta[name] = delta.get(name, 0.0) + share * value
    return Violation(
        {name: value for name, value in delta.items() if value != 0.0},
        sum(share * each.excess for each, share in zip(found, shares)),
        sum(share * each.loss for each, share in zip(found, shares)),
    )


def violation(trace: Bins, step: int, space: Any = None) -> Violation:
    """Return the pair of best gold and best guess of bin `step`."""
    return compare(trace.space if space is None else space, trace.gold(step), trace.best(step))


def compare(space: Any, gold: Derivation, guess: Derivation) -> Violation:
    """Compare gold and guess: ΔΦ = Φ(gold) - Φ(guess), excess, and loss.

    The loss is what the space's own ``loss(gold, guess)`` says of the two derivations. A space without one
    has their distance: for paths the number of places in which they differ (Hamming distance). Features of
    which the space says ``is_fixed(name)`` count in the scores but are not learned: they are not in ΔΦ.
    """
    delta: SparseVector = {}
    is_fixed = SPACE.of(space, "is_fixed") or _never
    # Common parts of gold and guess cancel; leaving them out keeps the zero exact for floats too.
    for parts, sign in ((gold.apart_from(guess), 1.0), (guess.apart_from(gold), -1.0)):
        for part in parts:
            for name, value in pairs(space.features(*part)):
                if not is_fixed(name):
                    delta[name] = delta.get(name, 0.0) + sign * value
    loss = SPACE.of(space, "loss")
    return Violation(
        {name: value for name, value in delta.items() if value != 0.0},
        guess.score - gold.score,
        float(gold.distance(guess) if loss is None else loss(gold, guess)),
    )


def _never(_: Hashable) -> bool:
    return False
