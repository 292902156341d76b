"""The dynamic-programming beam of Huang & Sagae (2010): states with equal kernels share one place in it.

A DP state stands for all states of its step that look alike. Of its stack it knows the topmost element and
what the kernel tells of the rest; what really stands below is shared by all that came from one push: the
states that were pushed upon, its predictors (the graph-structured stack). Two scores go with it: the prefix
score of the best way to it from the start, by which beams are ordered, and the inside score of the actions
since its topmost element was begun, which is the same whatever stands below.
`core/search/dp_search.hpp` is the engine's twin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from structron.errors import SettingError
from structron.reference.learners.weights import Weights
from structron.reference.sequence.spaces import Oracle, SearchSpace, StackSpace
from structron.reference.sequence.trace import Item, Path, Trace


@dataclass(eq=False)
class DPItem:
    """A DP state in a beam, with the interface of `Item`; `score` is its prefix score.

    Attributes
    ----------
    state
        The best of the states that it stands for.
    inside
        The inside score.
    row
        Where it stands; -1 for what was there at the start.
    parts
        The two parts of a reduction: the predictor below, and the state on top of it.
    predictors
        For one that was pushed: all states that this was done to, best first.
    inside_good
        Whether the actions of the inside score are all gold; `good` says it of all actions.
    push_gain
        The score of pushing the next element here.
    ways
        In how many ways the actions inside can be chosen, as far as the beam has kept them.
    """

    state: Any
    score: float
    inside: float
    action: int
    parent: int
    row: int
    gain: float
    good: bool = False
    inside_good: bool = False
    parts: tuple[DPItem, DPItem] | None = None
    predictors: list[DPItem] = field(default_factory=list)
    push_gain: float = 0.0
    ways: int = 1

    @property
    def parent_step(self) -> int:
        """Return the row of the parent: every action leads to the next row."""
        return self.row - 1

    @property
    def origin(self) -> DPItem:
        """Return the push of the topmost element, whose predictors are this state's too."""
        return self if self.parts is None else self.parts[0].origin

    def order(self, predictor: int) -> tuple[float, float, int, int, int]:
        """Return a sort key, smaller first: prefix score, inside score, parent, action, predictor."""
        return (-self.score, -self.inside, self.parent, self.action, predictor)

    def inside_actions(self) -> list[int]:
        """Return the actions since the topmost element was pushed."""
        if self.parts is None:
            return []
        below, top = self.parts
        return [*below.inside_actions(), *top.origin.push(), *top.inside_actions(), self.action]

    def push(self) -> list[int]:
        """Return the push that made this; none for the initial elements."""
        return [] if self.row < 0 else [self.action]

    def actions(self) -> list[int]:
        """Return the best actions from the start."""
        begun = self.origin
        before = begun.predictors[0].actions() if begun.row >= 0 else []
        return [*before, *begun.push(), *self.inside_actions()]


@dataclass(frozen=True, eq=False)
class DPTrace(Trace):
    """The rows of a DP beam. Gold that was merged into another path is off the beam, but may come back."""

    def path(self, step: int, rank: int) -> Path:
        """Return the best path to one DP state, with its own states."""
        if step < 0:
            return Path((), 0.0, (self.start,))
        item = cast(DPItem, self.beams[step][rank])
        return self._replay(tuple(item.actions()), item.score)

    @property
    def derivations(self) -> int:
        """Count the derivations that the beams hold together."""
        return sum(cast(DPItem, item).ways for item in self.beams[-1]) if self.beams else 1


def dp_beam(
    space: SearchSpace[Any],
    weights: Weights,
    width: int | None,
    oracle: Oracle[Any] | None = None,
    *,
    start: Any = None,
    margin: float = 0.0,
) -> DPTrace:
    """Run beam search with dynamic programming, Figure 3 of the paper, with the gold derivation beside it.

    Parameters
    ----------
    width, oracle, start, margin
        As for `beam`; the oracle allows one action in each state.
    """
    if not isinstance(space, StackSpace):
        raise SettingError("search dp needs a task whose states have a stack; use a beam as beam:8+merge")
    first = space.initial() if start is None else start
    gold = [] if oracle is None else list(_gold(space, weights, oracle, first))
    search = _Search(space, weights, width, oracle, margin, [item.action for item in gold])
    row = [_given(space, first)]
    rows: list[list[DPItem]] = []
    while any(space.actions(item.state) for item in row):
        row = search.next_row(row, len(rows))
        rows.append(row)
    gold_rows: list[list[Item]] = []
    for each, item in zip(rows, gold):
        # Gold in the beam has the beam's own sum, which may be rounded differently.
        earlier = gold_rows[-1][0].score if gold_rows else 0.0
        score = next((kept.score for kept in each if kept.good), earlier + item.gain)
        gold_rows.append(
            [Item(item.state, score, item.action, item.parent, item.parent_step, True, item.gain)]
        )
    in_beam = np.array([any(item.good for item in each) for each in rows], dtype=np.bool_)
    return DPTrace(space, first, cast(list[list[Item]], rows), gold_rows, in_beam)


def _given(space: StackSpace[Any], state: Any) -> DPItem:
    """Return one DP state for each element of the initial stack, the topmost last."""
    under = space.under(state)
    predictors = [] if under is None else [_given(space, under)]
    return DPItem(state, 0.0, 0.0, -1, -1, -1, 0.0, good=True, inside_good=True, predictors=predictors)


def _gold(space: StackSpace[Any], weights: Weights, oracle: Oracle[Any], state: Any) -> Iterator[Item]:
    """Yield the items of the gold derivation."""
    row = 0
    while actions := space.actions(state):
        (action,) = [action for action in actions if oracle.allows(state, action)]
        gain = weights.score(space.features(state, action))
        state = space.advance(state, action)
        yield Item(state, 0.0, action, 0 if row else -1, row - 1, True, gain)
        row += 1


class _Search:
    """A search from row to row."""

    def __init__(
        self,
        space: StackSpace[Any],
        weights: Weights,
        width: int | None,
        oracle: Oracle[Any] | None,
        margin: float,
        gold: Sequence[int],
    ) -> None:
        self.space, self.weights, self.width = space, weights, width
        self.oracle, self.margin, self.gold = oracle, margin, gold

    def next_row(self, row: Sequence[DPItem], number: int) -> list[DPItem]:
        """Return the best candidates one action further, with equivalent ones merged."""
        classes: dict[Any, list[DPItem]] = {}
        candidates = [
            (candidate.order(which), key, candidate)
            for rank, item in enumerate(row)
            for which, key, candidate in self._candidates(item, rank if number else -1, number)
        ]
        for _, key, candidate in sorted(candidates, key=lambda each: each[0]):
            classes.setdefault(key, []).append(candidate)
        return [_merged(alike) for alike in list(classes.values())[: self.width]]

    def _candidates(self, item: DPItem, rank: int, number: int) -> Iterator[tuple[int, Any, DPItem]]:
        """Yield all successors of a DP state: the predictor's number, the merge key, and the new item."""
        for action in self.space.actions(item.state):
            gain = self._gain(item.state, action)
            allowed = self._is_gold(number, action)
            if self.space.pushes(action):
                item.push_gain = gain
                state = self.space.advance(item.state, action)
                pushed = DPItem(state, item.score + gain, 0.0, action, rank, number, gain)
                pushed.good, pushed.inside_good, pushed.predictors = item.good and allowed, True, [item]
                yield 0, (None, self._kernel(state)), pushed
                continue
            for which, below in enumerate(item.origin.predictors):
                state = self.space.advance(self.space.on_top_of(below.state, item.state), action)
                inside = below.inside + below.push_gain + item.inside + gain
                made = DPItem(state, below.origin.score + inside, inside, action, rank, number, gain)
                made.parts, made.ways = (below, item), below.ways * item.ways
                pushed_gold = item.origin.row < 0 or self._is_gold(item.origin.row, item.origin.action)
                made.inside_good = below.inside_good and pushed_gold and item.inside_good and allowed
                made.good = made.origin.good and made.inside_good
                yield which, (id(made.origin), self._kernel(state)), made

    def _kernel(self, state: Any) -> Any:
        return self.space.kernel(state, self.margin != 0)

    def _gain(self, state: Any, action: int) -> float:
        gain = self.weights.score(self.space.features(state, action))
        if self.margin and self.oracle is not None and not self.oracle.allows(state, action):
            gain += self.margin
        return gain

    def _is_gold(self, row: int, action: int) -> bool:
        return row < len(self.gold) and self.gold[row] == action


def _merged(alike: Sequence[DPItem]) -> DPItem:
    """Return the best of equivalent states, on all their predictors; those of a reduction are equal."""
    best = alike[0]
    if best.parts is None:
        best.predictors = [item.predictors[0] for item in alike]
    else:
        best.ways = sum(item.ways for item in alike)
    return best
