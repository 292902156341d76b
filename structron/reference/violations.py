"""Which mistake is fixed: the update methods of Huang, Fayong & Guo (2012), Sections 4, 5 and 7.

A prefix method reads a trace and names the row to update on, or None. A row is a violation (Definition 3) if
its best item is not gold and scores at least as much as the best gold item: ties count. Rows without gold are
never violations. All methods but `standard` return only violations. With one gold derivation the row where
gold falls off is always one (Lemma 3). With many, search may lose one derivation early and another late, and
the model may prefer the lost one to the whole beam: there is nothing to fix on such a row, and `early` goes
on to the next row that is a violation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structron.errors import SettingError
from structron.reference.hooks import SPACE
from structron.reference.spaces import SearchSpace, SparseVector
from structron.reference.trace import Path, Trace
from structron.reference.weights import pairs

Method = Callable[[Trace], int | None]


class Violation(NamedTuple):
    """A pair of gold and guess, as far as a learner needs it.

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
        For a mixed assignment, how many sub-structures there were (|JJ_x|).
    """

    delta: SparseVector
    excess: float
    loss: float
    example: int = 0
    among: int = 1


def excess(trace: Trace) -> NDArray[np.float64]:
    """Guess minus gold on every row; NaN where there is no gold or no guess."""
    return trace.best_score - trace.gold_score


def is_violation(trace: Trace) -> NDArray[np.bool_]:
    """Definition 3 on every row: the best item is not gold, and w · ΔΦ ≤ 0."""
    # NaN compares as False, so rows without gold drop out here.
    return np.asarray(~trace.best_is_gold & (excess(trace) >= 0.0))


def fall_off(trace: Trace) -> int | None:
    """The first row that has gold, with none left in the search (line 5 of Algorithm 8; footnote 3)."""
    lost = np.flatnonzero(~trace.gold_in_beam & ~np.isnan(trace.gold_score))
    return int(lost[0]) if lost.size else None


def standard(trace: Trace) -> int | None:
    """The last row if it is wrong (Algorithm 1); with inexact search this may be invalid."""
    if trace.final < 0 or trace.best_is_gold[-1] or np.isnan(trace.gold_score[-1]):
        return None
    return trace.final


def early(trace: Trace) -> int | None:
    """Where gold falls off; the last row if it never does (Algorithms 6 and 8)."""
    rows = _from_fall_off(trace)
    return int(rows[0]) if rows.size else None


def latest(trace: Trace) -> int | None:
    """The last violation from where gold falls off; the last row if it never does (Section 5, number 3)."""
    rows = _from_fall_off(trace)
    return int(rows[-1]) if rows.size else None


def hybrid(trace: Trace) -> int | None:
    """The last row if it is a violation, otherwise early (Section 5, number 1)."""
    if trace.final >= 0 and is_violation(trace)[-1]:
        return trace.final
    return early(trace)


def max_violation(trace: Trace) -> int | None:
    """The row with the greatest excess, of equals the later (Section 5, number 2); also on right outputs."""
    rows = np.flatnonzero(is_violation(trace))
    if not rows.size:
        return None
    amounts = excess(trace)[rows]
    return int(rows[amounts == amounts.max()][-1])


def _from_fall_off(trace: Trace) -> NDArray[np.intp]:
    """The violations that early and latest choose from."""
    rows = np.flatnonzero(is_violation(trace))
    fallen = fall_off(trace)
    return rows[rows >= (trace.final if fallen is None else fallen)]


METHODS: Mapping[str, Method] = {
    "standard": standard,
    "early": early,
    "hybrid": hybrid,
    "latest": latest,
    "max_violation": max_violation,
}


def method(update: str | Method) -> Method:
    """The prefix method that `update` names, with hyphens or underscores."""
    if callable(update):
        return update
    found = METHODS.get(update.replace("-", "_"))
    if found is None:
        raise SettingError(f"update {update!r} is not known; use one of {', '.join(METHODS)}, laso")
    return found


def violation(trace: Trace, step: int, space: SearchSpace[Any] | None = None) -> Violation:
    """The pair of best gold and best guess on row `step`."""
    return compare(trace.space if space is None else space, trace.gold(step), trace.best(step))


def compare(space: SearchSpace[Any], gold: Path, guess: Path) -> Violation:
    """A pair of gold and guess: ΔΦ = Φ(gold) - Φ(guess), excess, and loss.

    The loss is what the space's own ``loss(gold, guess)`` says of the two paths. A space without one has the
    number of places in which they differ (Hamming distance; where one is longer, the rest counts).
    """
    delta: SparseVector = {}
    # What gold and guess share from the start cancels; leaving it out keeps the zero exact for floats too.
    shared = _common_prefix(gold, guess)
    for path, sign in ((gold, 1.0), (guess, -1.0)):
        for state, action in list(zip(path.states, path.actions))[shared:]:
            for name, value in pairs(space.features(state, action)):
                delta[name] = delta.get(name, 0.0) + sign * value
    loss = (SPACE.of(space, "loss") or hamming)(gold, guess)
    return Violation(
        {name: value for name, value in delta.items() if value != 0.0}, guess.score - gold.score, float(loss)
    )


def hamming(gold: Path, guess: Path) -> float:
    """In how many places two paths differ; where one is longer, the rest counts."""
    differing = sum(a != b for a, b in zip(gold.actions, guess.actions))
    return float(differing + abs(len(gold.actions) - len(guess.actions)))


def _common_prefix(gold: Path, guess: Path) -> int:
    """How many actions the two have in common from the start."""
    shared = 0
    for a, b in zip(gold.actions, guess.actions):
        if a != b:
            break
        shared += 1
    return shared
