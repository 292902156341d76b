"""Audit: train by the definition, check every update, and compare their number with the bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from structron.errors import SettingError
from structron.learners import parse_learner
from structron.reference.learners.learners import Learner
from structron.reference.learners.mixed_assignments import check_mixes
from structron.reference.learners.weights import SparseVector, Weights
from structron.reference.sequence.search import SearchName
from structron.reference.sequence.training import Epoch, Example, train
from structron.search import Search, parse_search
from structron.theory.bounds import FirstPass, first_pass_bound, updates_bound
from structron.theory.confusion import confusion_set, mixed_set
from structron.theory.differences import Differences
from structron.theory.maximal_margin import MaximalMargin, maximal_margin
from structron.theory.update_log import RecordingLearner, UpdateRecord
from structron.updates import parse_update

OUTPUTS, PREFIXES, MIXED, MADE = "all outputs", "all prefixes", "mixed assignments", "updates made"
# With exact search these update on whole outputs only; everything else may update on prefixes.
_WHOLE = ("standard", "hybrid", "latest")


@dataclass(frozen=True, eq=False)
class Measured:
    """A set of pairs of gold and guess, and what the theorems say about it.

    Attributes
    ----------
    name
        ``all outputs``, ``all prefixes``, ``mixed assignments`` or ``updates made``.
    differences
        The set; None if it has more members than one wants to list.
    margin
        That of the final weights; 0 or less if they do not separate.
    maximal
        The greatest margin that any weights have.
    slack
        How far above 0 an update's w · ΔΦ may be.
    """

    name: str
    differences: Differences | None
    margin: float = math.nan
    maximal: MaximalMargin | None = None
    slack: float = 0.0

    @property
    def radius(self) -> float:
        """Return R, or R^JJ."""
        return math.nan if self.differences is None else self.differences.radius

    @property
    def bound(self) -> float:
        """Return R²/δ² with the best margin known; infinite if nothing separates."""
        if self.differences is None:
            return math.nan
        best = max(self.margin, self.maximal.margin if self.maximal else -math.inf)
        return updates_bound(self.radius, best, self.slack)

    @cached_property
    def first_pass(self) -> FirstPass | None:
        """Compute Theorem 2 of Dror & Reichart on demand, for a set that is listed by example."""
        listed = self.differences is not None and self.name != MADE
        return first_pass_bound(self.differences) if listed and self.differences else None


@dataclass(frozen=True, eq=False)
class Audit:
    """The result of an audit.

    Attributes
    ----------
    choices
        Search, update and learner, by name.
    epochs
        The counts of every pass.
    updates
        Every update, judged.
    sets
        The sets of pairs, with radius, margin and bound.
    weights
        The weights at the end.
    """

    choices: dict[str, str]
    examples: int
    epochs: list[Epoch]
    updates: list[UpdateRecord]
    sets: list[Measured]
    weights: Weights = field(repr=False)

    @property
    def converged(self) -> bool:
        """Return True if the last pass made no update."""
        return bool(self.epochs) and self.epochs[-1].updates == 0

    @property
    def invalid(self) -> list[int]:
        """Return the updates, numbered from 1, that fixed no violation: condition (2) failed."""
        return [number for number, update in enumerate(self.updates, 1) if not update.valid]

    @property
    def without_shares(self) -> list[int]:
        """Return the updates, numbered from 1, that broke condition (1) on γ."""
        return [number for number, update in enumerate(self.updates, 1) if not update.shares]

    @property
    def meets_conditions(self) -> bool:
        """Return True if every update met both conditions, so that the theorem applies."""
        return not self.invalid and not self.without_shares

    @property
    def first_pass(self) -> int:
        """Return the updates in the first pass: the mistakes of Theorem 2."""
        return self.epochs[0].updates if self.epochs else 0

    def set_of(self, name: str) -> Measured | None:
        """Return a set by its name."""
        return next((each for each in self.sets if each.name == name), None)

    @property
    def backed_off(self) -> int:
        """Count updates on the plain pair by a learner of mixed assignments (Property 3)."""
        return sum(not update.on_mixed for update in self.updates) if self.set_of(MIXED) else 0

    def promised(self, of: Measured) -> float:
        """Return the updates that a set allows; NaN if the theorem does not apply.

        It does if every update met the conditions and is a sum of pairs of this set.
        """
        speaks = self.meets_conditions and not (of.name == MIXED and self.backed_off)
        return of.bound if speaks else math.nan

    @property
    def kept(self) -> bool | None:
        """Return True if the updates stayed within every bound that applies; None if none does."""
        promised = [bound for each in self.sets if not math.isnan(bound := self.promised(each))]
        return all(len(self.updates) <= bound * (1 + 1e-9) for bound in promised) if promised else None


def audit(
    examples: Sequence[Example],
    *,
    search: str | Search | SearchName = "exact",
    update: str = "standard",
    learner: str | Learner = "perceptron",
    epochs: int = 100,
    limit: int = 2_000,
    maximal: bool = True,
    on_epoch: Callable[[Epoch], None] | None = None,
) -> Audit:
    """Train by the definition, and audit it: a task of your own, or `task.space(x), task.oracle(y)`.

    Parameters
    ----------
    examples
        Pairs of a search space and its oracle.
    search, update, learner
        By name or as objects, as everywhere.
    epochs
        Passes at most; training ends with the first that makes no update.
    limit
        A set of pairs is listed if no example has more derivations than this.
    maximal
        Whether to solve for the maximal margin, too.
    on_epoch
        Called after every pass.

    Examples
    --------
    >>> from structron.tasks.tagging import TaggingTask
    >>> task = TaggingTask(("N", "V"), ("w[0]", "t[-1]"))
    >>> data = [(["flies", "fly"], ["N", "V"]), (["fly"], ["V"])]
    >>> found = audit([(task.space(x), task.oracle(y)) for x, y in data])
    >>> found.converged, found.invalid, len(found.updates) <= found.sets[0].bound
    (True, [], True)
    """
    _check_sizes(examples, epochs, limit)
    chosen, name = parse_update(update).name, str(learner)
    who: Learner = parse_learner(learner).definition() if isinstance(learner, str) else learner
    if getattr(who, "substructures", None) is not None:
        for space, _ in examples:  # before training, which may never meet a pair to mixed_assignment
            check_mixes(space)
    how = parse_search(search) if isinstance(search, str | Search) else search
    weights = Weights()
    recorder = RecordingLearner(who, weights)
    history = []
    for epoch in train(examples, search=how, update=chosen, learner=recorder, epochs=epochs, weights=weights):
        history.append(epoch)
        if on_epoch is not None:
            on_epoch(epoch)
        if epoch.updates == 0:
            break
    choices = {"search": str(how), "update": chosen, "learner": name}
    whole = chosen in _WHOLE and _is_exact(how)
    sets = _sets(examples, recorder, weights, whole=whole, limit=limit, maximal=maximal)
    return Audit(choices, len(examples), history, recorder.updates, sets, weights)


def _check_sizes(examples: Sequence[Example], epochs: int, limit: int) -> None:
    if not examples:
        raise SettingError("audit: there are no examples; give at least one")
    if epochs < 1 or limit < 1:
        raise SettingError(
            f"audit: {epochs} epochs and a limit of {limit} are not possible; give at least 1 of each"
        )


def _is_exact(search: Any) -> bool:
    return search == "exact" or (getattr(search, "width", 1) is None and getattr(search, "merge", False))


def _sets(
    examples: Sequence[Example],
    recorder: RecordingLearner,
    weights: Weights,
    *,
    whole: bool,
    limit: int,
    maximal: bool,
) -> list[Measured]:
    """Return the sets of pairs: all, the mixed assignments among them, and those of the updates."""
    slack = max((update.allowed for update in recorder.updates), default=0.0)
    jj = getattr(recorder.learner, "substructures", None)
    listed = [
        (
            OUTPUTS if whole else PREFIXES,
            _listed([confusion_set(*each, prefixes=not whole, limit=limit) for each in examples]),
        )
    ]
    if jj is not None:
        mixed = [mixed_set(*each, jj, prefixes=not whole, limit=limit) for each in examples]
        listed.append((MIXED, _listed(mixed)))
    listed.append((MADE, Differences([update.change for update in recorder.updates])))
    return [_measured(name, found, weights, slack, maximal) for name, found in listed]


def _listed(found: Sequence[list[SparseVector] | None]) -> Differences | None:
    """Join the sets of all examples; return None if one of them was too large."""
    vectors: list[SparseVector] = []
    numbers: list[int] = []
    for number, each in enumerate(found):
        if each is None:
            return None
        vectors += each
        numbers += [number] * len(each)
    return Differences(vectors, numbers)


def _measured(
    name: str, found: Differences | None, weights: Weights, slack: float, maximal: bool
) -> Measured:
    if found is None:
        return Measured(name, None, slack=slack)
    return Measured(name, found, found.margin(weights), maximal_margin(found) if maximal else None, slack)
