"""The loops: Algorithm 2 (local), Algorithm 3 (global) and LaSO of Huang, Fayong & Guo (2012).

Minibatches are those of Zhao & Huang (2013).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Protocol

import numpy as np

from structron.errors import SettingError
from structron.reference.checks.hooks import LEARNER, SEARCH
from structron.reference.forest.matrix_tree import tree_shortfall
from structron.reference.learners.array_learner import ArrayLearner
from structron.reference.learners.learners import (
    Learner,
    Perceptron,
    excess_of,
    excesses_of,
    margin_of,
    sums_up,
    wants_close_calls,
)
from structron.reference.learners.violations import (
    OwnMethod,
    Violation,
    early,
    fall_off,
    is_violation,
    method,
)
from structron.reference.learners.weights import Weights
from structron.reference.sequence.bins import Bins
from structron.reference.sequence.search import (
    SEARCHES,
    Kind,
    SearchName,
    decode,
    keeper_of,
    kind_of,
    named,
    width_and_merge,
)
from structron.reference.sequence.spaces import Oracle, SearchSpace
from structron.reference.sequence.sums import shortfall
from structron.reference.sequence.violation_finder import Chosen, choose, find, is_on_prefix

Example = tuple[SearchSpace[Any], Oracle[Any]]


class Shuffler(Protocol):
    """A source of randomness, such as `random.Random` and `numpy.random.Generator`."""

    def shuffle(self, x: list[int], /) -> None: ...


@dataclass(frozen=True)
class Epoch:
    """The counts of one pass over the data.

    Attributes
    ----------
    epoch
        Which pass, from 1.
    examples, errors
        How many examples were decoded, and how many of them wrongly (with LaSO: or with gold falling off).
    updates, invalid
        How many updates were made, and how many of them were not violations (excess < 0).
    early_stopped
        Examples that were updated on a proper prefix, before the last row.
    weights
        The weights in training, the same object in every epoch; take `weights.averaged()` to predict.
    """

    epoch: int
    examples: int
    errors: int
    updates: int
    invalid: int
    early_stopped: int
    weights: Weights


@dataclass
class _Tally:
    """The counts of the current epoch."""

    examples: int = 0
    errors: int = 0
    updates: int = 0
    invalid: int = 0
    early_stopped: int = 0

    def count(self, *, wrong: bool, updates: Sequence[float], on_prefix: bool) -> None:
        """Count one more example; `updates` holds the excess of each update that was made."""
        self.examples += 1
        self.errors += wrong
        self.updates += len(updates)
        self.invalid += sum(excess < 0 for excess in updates)
        self.early_stopped += on_prefix

    def epoch(self, number: int, weights: Weights) -> Epoch:
        return Epoch(
            number, self.examples, self.errors, self.updates, self.invalid, self.early_stopped, weights
        )


def train(
    examples: Sequence[Example],
    *,
    search: SearchName,
    update: str | OwnMethod,
    learner: Any = None,
    epochs: int | None = 10,
    weights: Weights | None = None,
    rng: Shuffler | None = None,
    schedule: str = "local",
    skip_correct: bool = False,
    batch: int = 1,
) -> Iterator[Epoch]:
    """Train, and yield after every epoch what happened in it.

    Parameters
    ----------
    examples
        Pairs of a search space and its oracle.
    search
        "exact", "greedy", ("beam", width, merge), a description of a search as in `structron.search`, or a
        search of one's own or its registered name.
    update
        "standard", "early", "hybrid", "latest", "max_violation", "laso", or a function from the bins
        of a search to the number of one, to several, to several with shares, or to None.
    learner
        How far to move; the perceptron when left out. One with `move` reads arrays, as in the engine.
    epochs
        How many passes; None goes on until a pass makes no update, which may be never.
    weights
        Where to start; these are changed. Left out, training starts from zero and `Epoch.weights` has them.
    rng
        Shuffles the examples before every epoch; left out, they stay in order.
    schedule
        "local" updates example by example (Algorithm 2). "global" decodes all data with the same weights and
        fixes the greatest violation, of equals the first (Algorithm 3): one epoch is one such update.
    skip_correct
        Make no update on an example whose output is right, whatever its prefixes say.
    batch
        With schedule "local": so many examples are decoded with the same weights, then there is one update
        for all of them.
    """
    is_laso = isinstance(update, str) and update.lower() == "laso"
    if hasattr(learner, "move"):
        learner = ArrayLearner(learner)
    search = named(search)
    _check_schedule(schedule, batch, is_laso)
    _check_search(search, is_laso)
    if learner is not None and sums_up(learner):
        _check_sums(search, is_laso, schedule)
    _check_names(examples, search, learner)
    choices = _Choices(
        search, None if is_laso else method(update), learner or Perceptron(), schedule, skip_correct, batch
    )
    return _epochs(examples, choices, epochs, Weights() if weights is None else weights, rng)


def _check_schedule(schedule: str, batch: int, is_laso: bool) -> None:
    if schedule not in ("local", "global"):
        raise SettingError(f"schedule {schedule!r} is not known; use 'local' or 'global'")
    if is_laso and schedule == "global":
        raise SettingError(
            "laso updates while it searches and cannot wait for all data; use schedule='local'"
        )
    if batch < 1 or (batch > 1 and schedule == "global"):
        raise SettingError(f"batch = {batch} is not possible; give 1, or more with schedule='local'")
    if batch > 1 and is_laso:
        raise SettingError("laso updates while it searches and cannot wait for a batch; use batch = 1")


def _check_search(search: SearchName, is_laso: bool) -> None:
    width_and_merge(search)
    if is_laso and (not kind_of(search).in_order or keeper_of(search) is not None):
        raise SettingError(
            f"laso goes on from one bin to the next, and the bins of search {search} have no single order; "
            "use early or max_violation"
        )


def _check_sums(search: SearchName, is_laso: bool, schedule: str) -> None:
    is_known = kind_of(search) in (SEARCHES["beam"], SEARCHES["mst"])
    if width_and_merge(search) != (None, True) or not is_known or is_laso or schedule == "global":
        raise SettingError(
            "a learner of sums looks at all outputs at once; use search='exact', update='standard' and "
            "schedule='local'"
        )


def _check_names(examples: Sequence[Example], search: SearchName, learner: Learner | None) -> None:
    """Refuse misspelt names of optional methods: they would never be called."""
    if learner is not None:
        LEARNER.check_names(learner)
    if not isinstance(search, str | tuple):
        SEARCH.check_names(search)
    check_spaces(examples, kind_of(search))


def check_spaces(examples: Sequence[Example], kind: Kind = SEARCHES["beam"]) -> None:
    """Refuse spaces and oracles that lack a method, or have a misspelt one."""
    for space in {type(space): space for space, _ in examples}.values():
        kind.space.check_names(space)
    for oracle in {type(oracle): oracle for _, oracle in examples}.values():
        kind.oracle.check_names(oracle)


@dataclass(frozen=True)
class _Choices:
    """The constants of a training; no method means LaSO."""

    search: SearchName
    choose: OwnMethod | None
    learner: Learner
    schedule: str
    skip_correct: bool
    batch: int

    def row(self, trace: Bins) -> Chosen:
        """Return the bin to update on."""
        if self.choose is None or (self.skip_correct and not self.is_wrong(trace)):
            return None
        return choose(trace, self.choose, self.learner)

    def is_wrong(self, trace: Bins) -> bool:
        """Return True if the output is wrong; in sequences, also if gold falls off even for a time."""
        stops = self.choose is early and kind_of(self.search).in_order
        return _is_wrong(trace) or (stops and fall_off(trace) is not None)


def _epochs(
    examples: Sequence[Example], choices: _Choices, epochs: int | None, weights: Weights, rng: Shuffler | None
) -> Iterator[Epoch]:
    """Run the epochs of `train`, whose arguments have been checked."""
    for number in count(1) if epochs is None else range(1, epochs + 1):
        tally = _Tally()
        order = list(range(len(examples)))
        if rng is not None:
            rng.shuffle(order)
        shuffled = [examples[index] for index in order]
        if choices.choose is None:
            for space, oracle in shuffled:
                laso(space, oracle, weights, choices.search, choices.learner, tally)
        elif choices.schedule == "local":
            for start in range(0, len(shuffled), choices.batch):
                _local(shuffled[start : start + choices.batch], choices, weights, tally)
        else:
            _global(shuffled, choices, weights, tally)
        yield tally.epoch(number, weights)
        if epochs is None and tally.updates == 0:
            return


def _is_wrong(trace: Bins) -> bool:
    return trace.final >= 0 and not trace.best_is_gold[-1]


def _local(examples: Sequence[Example], choices: _Choices, weights: Weights, tally: _Tally) -> None:
    """Run Algorithm 2 on a batch of examples: decode all, then update once for all.

    The counter advances once for each example, after the update: the weights after a batch count in the
    average as often as it has examples.
    """
    if sums_up(choices.learner):
        _sum_up(examples, choices, weights, tally)
        return
    traces, steps, batch = [], [], []
    margin = margin_of(choices.learner, weights.counter - 1)
    for number, (space, oracle) in enumerate(examples):
        aim(oracle, weights, choices.search)
        trace = decode(space, weights, choices.search, oracle, margin)
        step = choices.row(trace)
        found = find(trace, step, oracle, weights, choices.learner)
        traces.append(trace)
        steps.append(step)
        batch.append([violation._replace(example=number) for violation in found])
    excesses = excesses_of(choices.learner, batch)
    if any(excess is not None for excess in excesses):
        weights.add(choices.learner.change([violation for found in batch for violation in found]))
    for trace, step, excess in zip(traces, steps, excesses):
        weights.tick()
        on_prefix = excess is not None and is_on_prefix(trace, step)
        wrong = choices.is_wrong(trace)
        tally.count(wrong=wrong, updates=[] if excess is None else [excess], on_prefix=on_prefix)


def _sum_up(examples: Sequence[Example], choices: _Choices, weights: Weights, tally: _Tally) -> None:
    """Learn from a batch by sums over all outputs; gold with less than half the probability is an error."""
    temperature = margin_of(choices.learner, weights.counter - 1)
    sums: Any = tree_shortfall if kind_of(choices.search) is SEARCHES["mst"] else shortfall
    found = [sums(space, oracle, weights, temperature) for space, oracle in examples]
    if any(found):
        weights.add(choices.learner.change([each for one in found for each in one]))
    for one in found:
        weights.tick()
        wrong = not one or one[0].loss > math.log(2.0)
        tally.count(wrong=wrong, updates=[each.excess for each in one], on_prefix=False)


def _global(examples: Sequence[Example], choices: _Choices, weights: Weights, tally: _Tally) -> None:
    """Run one round of Algorithm 3: FINDVIOLATIONINDATA takes the greatest violation, of equals the first."""
    greatest: list[Violation] = []
    greatest_on_prefix = False
    for space, oracle in examples:
        aim(oracle, weights, choices.search)
        trace = decode(
            space, weights, choices.search, oracle, margin_of(choices.learner, weights.counter - 1)
        )
        step = choices.row(trace)
        tally.count(wrong=choices.is_wrong(trace), updates=(), on_prefix=False)
        found = find(trace, step, oracle, weights, choices.learner)
        if found and (not greatest or found[0].excess > greatest[0].excess):
            greatest, greatest_on_prefix = found, is_on_prefix(trace, step)
    if made := _update(weights, choices.learner, greatest):
        tally.updates, tally.invalid = 1, int(made[0] < 0)
        tally.early_stopped = int(greatest_on_prefix)
    weights.tick()


def aim(oracle: Oracle[Any], weights: Weights, search: SearchName) -> None:
    """Let an oracle whose gold depends on the weights choose it."""
    choose_gold = getattr(oracle, "aim", None)
    if choose_gold is not None:
        choose_gold(weights, search)


def _update(weights: Weights, learner: Learner, found: Sequence[Violation]) -> list[float]:
    """Move the weights; the excess of the update, or nothing if the learner makes none."""
    excess = excess_of(learner, found)
    if excess is None:
        return []
    weights.add(learner.change(found))
    return [excess]


def laso(
    space: SearchSpace[Any],
    oracle: Oracle[Any],
    weights: Weights,
    search: SearchName,
    learner: Learner | None = None,
    tally: _Tally | None = None,
) -> list[Violation]:
    """Run LaSO on one example (Section 7, line 8'): where gold falls off, update and go on from gold alone.

    The update is made at once, so the rest of the example is searched with the new weights, from the best
    gold item of that row: B_i = [y_[1:i]]. Scores count from there, for what came before is shared and
    cancels. Once gold stays in to the end, there is a full update if the best of the last row is wrong. The
    counter of the weights advances once.

    Returns
    -------
    The violations that were found, in order.
    """
    learner = Perceptron() if learner is None else learner
    fixed: list[Violation] = []
    made: list[float] = []
    start, wrong, on_prefix = space.initial(), False, False
    aim(oracle, weights, search)
    margin = margin_of(learner, weights.counter - 1)
    while True:
        trace = decode(space, weights, search, oracle, margin, start)
        fallen = fall_off(trace)
        wrong = wrong or fallen is not None or _is_wrong(trace)
        step = trace.final if fallen is None else fallen
        close = step == trace.final and wants_close_calls(learner)
        if step >= 0 and (is_violation(trace)[step] or (close and not np.isnan(trace.gold_score[step]))):
            found = find(trace, step, oracle, weights, learner)
            fixed += found
            updates = _update(weights, learner, found)
            made += updates
            on_prefix = on_prefix or (bool(updates) and step < trace.final)
        if fallen is None or fallen == trace.final:
            break
        start = trace.gold(fallen).states[-1]
    weights.tick()
    if tally is not None:
        tally.count(wrong=wrong, updates=made, on_prefix=on_prefix)
    return fixed
