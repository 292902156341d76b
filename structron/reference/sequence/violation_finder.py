"""The pairs of gold and guess of one bin that a learner receives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from structron.reference.checks.hooks import LEARNER
from structron.reference.learners.learners import Learner, constraints_of, wants_close_calls
from structron.reference.learners.mixed_assignments import mixed_violations
from structron.reference.learners.violations import (
    OwnMethod,
    Violation,
    check_shares,
    compare,
    excess,
    together,
)
from structron.reference.learners.weights import Weights
from structron.reference.sequence.bins import Bins, is_gold
from structron.reference.sequence.spaces import Oracle

Chosen = int | tuple[int, ...] | Mapping[int, float] | None


def choose(trace: Bins, method: OwnMethod, learner: Learner) -> Chosen:
    """Choose the bin to update on, or several (FINDVIOLATION of Algorithm 2).

    Where the method finds no violation, a learner that cares for close calls (MIRA) gets the last bin: there
    gold may be ahead by less than the loss.
    """
    step = method(trace)
    if isinstance(step, Mapping) and step:
        step = check_shares(step)
        return next(iter(step)) if len(step) == 1 else step
    if isinstance(step, Mapping) or (isinstance(step, tuple) and len(step) < 2):
        step = tuple(step)
        step = step[0] if step else None
    if step is None and wants_close_calls(learner):
        return trace.final if trace.final >= 0 and not np.isnan(excess(trace)[-1]) else None
    return step


def find(
    trace: Bins, step: Chosen, oracle: Oracle[Any], weights: Weights, learner: Learner
) -> list[Violation]:
    """Return the violations of bin `step` for the learner: the best guess, the k best, or mixed assignments.

    Gold is left out of the k best guesses. For several bins there is the best guess of each,
    and these are one violation: their sum, or the convex combination with given shares.
    """
    if step is None:
        return []
    if isinstance(step, tuple | Mapping):
        shares = list(step.values()) if isinstance(step, Mapping) else None
        found = [compare(trace.space, trace.gold(each), trace.best(each)) for each in step]
        return [together(found, shares)]
    space, gold, k = trace.space, trace.gold(step), constraints_of(learner)
    if LEARNER.of(learner, "substructures") is not None:
        best = [trace.best(step)] if k == 1 else trace.kbest(k, step)
        return mixed_violations(space, gold, best, oracle, weights, learner)
    guesses = [trace.best(step)] if k == 1 else trace.kbest(k, step)
    return [compare(space, gold, guess) for guess in guesses if not is_gold(oracle, guess)]


def is_on_prefix(trace: Bins, step: Chosen) -> bool:
    """Return True if the chosen bin is not the last."""
    return step is not None and step not in (trace.final, (trace.final,))
