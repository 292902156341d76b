"""Exact, greedy and beam search over any search space: Algorithms 4 and 7 of Huang, Fayong & Guo (2012)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from structron.errors import SettingError, TaskError
from structron.reference.checks.hooks import FOREST, FOREST_ORACLE, HEADS, ORACLE, SEARCH, SPACE, Hooks
from structron.reference.forest.forest import ForestTrace, forest
from structron.reference.forest.hill_climbing import climbing
from structron.reference.forest.spanning_trees import spanning
from structron.reference.learners.weights import Weights
from structron.reference.sequence.bins import Bins
from structron.reference.sequence.class_bins import ClassBins
from structron.reference.sequence.dp_beam import DPTrace, dp_beam
from structron.reference.sequence.one_bin import OneBin
from structron.reference.sequence.row_keeper import RowOffers, kept_places
from structron.reference.sequence.spaces import Oracle, SearchSpace
from structron.reference.sequence.trace import Item, Row, Trace
from structron.search import is_registered, parse_search


class SearchChoice(Protocol):
    """The description of a search, such as `structron.search.Exact`, `Greedy`, `Beam` and `DPBeam`.

    One with `within` gives up what is farther behind the best of its bin. One with `kind` names a search of
    `SEARCHES`; without, it means a beam. One of the kind ``own`` has a method
    ``run(space, weights, oracle, margin, start)`` that gives the bins; with `in_order` LaSO can go on from
    one. A beam with a method ``keep(row)`` chooses its rows itself (`RowKeeper`).
    """

    @property
    def width(self) -> int | None: ...
    @property
    def merge(self) -> bool: ...


_INITIAL = object()

SearchName = str | tuple[str, int, bool] | SearchChoice


def exact(space: SearchSpace[Any], weights: Weights, oracle: Oracle[Any] | None = None) -> Trace:
    """Find the best of all outputs (EXACT in Algorithm 1): an unbounded beam that merges equal keys."""
    return beam(space, weights, None, True, oracle)


def greedy(space: SearchSpace[Any], weights: Weights, oracle: Oracle[Any] | None = None) -> Trace:
    """Take the best action again and again: Algorithm 4, which is a beam of width 1."""
    return beam(space, weights, 1, False, oracle)


def beam(
    space: SearchSpace[Any],
    weights: Weights,
    width: int | None,
    merge: bool = False,
    oracle: Oracle[Any] | None = None,
    *,
    start: Any = _INITIAL,
    margin: float = 0.0,
    within: float = math.inf,
    arcs: bool = False,
    keeper: Any = None,
) -> Trace:
    """Run beam search, Algorithm 7, with the gold side beside it.

    Parameters
    ----------
    width
        How many items a row keeps; None keeps all.
    merge
        Whether a row keeps only the best item of those with equal merge keys (Definition 6).
    oracle
        The oracle. The gold side is the same search, of the same width, restricted to allowed actions; it
        neither sees nor changes the free search. Without an oracle there is no gold side. An oracle that is
        `exhaustive` has few gold states: all are kept, the best of each key.
    start
        Where to begin, if not in the initial state; scores and rows count from there.
    margin
        Cost-augmented search: every action that the oracle does not allow scores this much more, in the free
        search. Then the oracle is asked about states that are not gold, too.
    within
        A row of the free search keeps only what ranks at most this much lower than its first. Gold is watched
        without: of several derivations the best is the one that counts.
    arcs
        With `merge`, keep what was merged into the items of a beam as well, as exact search does: then the
        k best are those of all paths through the beams.
    keeper
        Chooses who stays in each row of the free search, in place of `width` (`RowKeeper`).

    Items compete by their scores; in a space that has a method `future(state)`, by the score with what that
    expects of the rest of the way. Where that depends on the weights, the space has a method
    `outlook(weights)`, which gives such a function.
    """
    if start is _INITIAL:
        start = space.initial()
    free = _Rows(space, weights, width, merge, oracle, start, margin, within, restricted=False, keeper=keeper)
    if ORACLE.of(oracle, "exhaustive"):
        gold = _Rows(space, weights, None, True, oracle, start, 0.0, math.inf, restricted=True)
    else:
        gold = _Rows(space, weights, width, merge, oracle, start, 0.0, math.inf, restricted=True)
    while free.waiting or gold.waiting:
        free.close_row()
        gold.close_row()
    classes = free.classes if merge and (width is None or arcs) else []
    trace = Trace(space, start, free.rows, gold.rows, np.array(free.has_good, dtype=np.bool_), classes)
    _check_end(space, trace)
    return trace


class _Rows:
    """One side of a search: the closed rows, and the candidates that wait for later rows."""

    def __init__(
        self,
        space: SearchSpace[Any],
        weights: Weights,
        width: int | None,
        merge: bool,
        oracle: Oracle[Any] | None,
        start: Any,
        margin: float,
        within: float,
        *,
        restricted: bool,
        keeper: Any = None,
    ) -> None:
        self.keeper, self.memory, self.kept_before = keeper, dict[Any, Any](), [0]
        self.margin, self.within = margin, within
        self.space, self.weights, self.oracle = space, weights, oracle
        self.width, self.merge, self.restricted = width, merge, restricted
        outlook = SPACE.of(space, "outlook")
        self.future = (SPACE.of(space, "future") if outlook is None else outlook(weights)) or _no_future
        self.rows: list[Row] = []
        self.classes: list[list[Row]] = []
        self.has_good: list[bool] = []
        self.waiting: dict[int, Row] = {}
        self._first_step = space.step(start) + 1
        if not (restricted and oracle is None):
            self._expand(start, 0.0, oracle is not None, -1, -1)

    def close_row(self) -> None:
        """Set B_i = BEST_k of the candidates on this step, then expand them."""
        step = len(self.rows)
        kept = list(self._best(self.waiting.pop(step, [])))
        self.rows.append([candidates[0] for candidates in kept])
        self.classes.append(kept)
        # Good items that skip this step are not lost: they compete on a later one.
        left = (self.rows[step], *self.waiting.values())
        self.has_good.append(any(item.good for items in left for item in items))
        for rank, item in enumerate(self.rows[step]):
            self._expand(item.state, item.score, item.good, rank, step)

    def _best(self, candidates: Row) -> Iterator[Row]:
        """Yield the retained items in order, each followed by the candidates that were merged into it."""
        classes: dict[Any, Row] = {}
        # The future of gold may depend on more than the state's key: the position in the reference.
        gold_key = (ORACLE.of(self.oracle, "merge_key") if self.restricted else None) or _no_key
        for number, item in enumerate(sorted(candidates, key=lambda item: item.order)):
            key = (self.space.merge_key(item.state), gold_key(item.state)) if self.merge else number
            classes.setdefault(key, []).append(item)
        if self.keeper is not None:
            offered = list(classes.values())
            yield from self._chosen(
                [items for items in offered if items[0].rank >= offered[0][0].rank - self.within]
            )
            return
        kept = list(classes.values())[: self.width]
        yield from (items for items in kept if items[0].rank >= kept[0][0].rank - self.within)

    def _chosen(self, offered: list[Row]) -> list[Row]:
        """Return what the keeper leaves of a row."""
        if not offered:
            self.kept_before.append(self.kept_before[-1])
            return []
        first = [items[0] for items in offered]
        numbers = [
            0 if item.parent < 0 else self.kept_before[item.parent_step] + item.parent + 1 for item in first
        ]
        row = RowOffers(
            len(self.rows),
            np.array([item.score for item in first]),
            np.array(numbers, np.uint32),
            np.array([item.action for item in first], np.uint32),
            self.memory,
        )
        kept = [offered[place] for place in kept_places(self.keeper, row)]
        self.kept_before.append(self.kept_before[-1] + len(kept))
        return kept

    def _expand(self, state: Any, score: float, good: bool, rank: int, step: int) -> None:
        """Add every candidate one action further (NEXT) to the row of its own step."""
        for action in self.space.actions(state):
            allowed = good and self.oracle is not None and self.oracle.allows(state, action)
            if self.restricted and not allowed:
                continue
            successor = self.space.advance(state, action)
            row = self.space.step(successor) - self._first_step
            if row <= step:
                raise TaskError(
                    f"search: action {action} leads from step {step + self._first_step} to "
                    f"{row + self._first_step}; every action must lead to a later step, see check_space"
                )
            gain = self.weights.score(self.space.features(state, action))
            if self.margin and not self._is_right(state, action):
                gain += self.margin
            item = Item(successor, score + gain, action, rank, step, allowed, gain, self.future(successor))
            self.waiting.setdefault(row, []).append(item)

    def _is_right(self, state: Any, action: int) -> bool:
        """Return True if the action does not get the margin."""
        if self.oracle is None:
            return True
        right: Callable[[Any, int], bool] = ORACLE.of(self.oracle, "right") or self.oracle.allows
        return right(state, action)


def _no_key(_: Any) -> None:
    return None


def _no_future(_: Any) -> float:
    return 0.0


def _check_end(space: SearchSpace[Any], trace: Trace) -> None:
    """Check that all outputs, and nothing else, end in the last row."""
    if trace.final < 0:
        if not space.is_final(trace.start):
            raise TaskError("search: the initial state is not final but has no actions; see check_space")
        return
    if not trace.beams[-1] or not all(space.is_final(item.state) for item in trace.beams[-1]):
        raise TaskError(
            f"search: row {trace.final} is the last but not all of it is final; "
            "give every state that is not final an action (see check_space), or widen the beam"
        )
    for step, row in enumerate(trace.beams[:-1]):
        if any(space.is_final(item.state) for item in row):
            raise TaskError(
                f"search: final states on rows {step} and {trace.final}; "
                "give all final states the same step, see check_space"
            )


def named(search: Any) -> Any:
    """Return the search that a registered name stands for; anything else is returned as it is."""
    return parse_search(search) if isinstance(search, str) and is_registered(search) else search


def width_and_merge(search: SearchName) -> tuple[int | None, bool]:
    """Return the width of a search (None: no bound) and True if it merges."""
    if search == "exact":
        return None, True
    if search == "greedy":
        return 1, False
    if isinstance(search, tuple) and len(search) == 3 and search[0] == "beam" and search[1] >= 1:
        return search[1], search[2]
    if isinstance(search, str | tuple):
        raise SettingError(
            f"search {search!r} is not known; use 'exact', 'greedy', ('beam', width, merge) "
            "or a search of structron.search"
        )
    return search.width, search.merge


def keeper_of(search: Any) -> Any:
    """Return the object that chooses the rows of a beam: the search itself or its keeper; None for others."""
    search = named(search)
    return search if SEARCH.of(search, "keep") is not None else SEARCH.of(search, "keeper")


def _beam(
    space: SearchSpace[Any],
    weights: Weights,
    search: Any,
    oracle: Oracle[Any] | None,
    margin: float,
    start: Any,
) -> Trace:
    begin = _INITIAL if start is None else start
    within, keeper = SEARCH.of(search, "within"), keeper_of(search)
    return beam(
        space,
        weights,
        *width_and_merge(search),
        oracle,
        start=begin,
        margin=margin,
        within=within,
        keeper=keeper,
    )


def _class_beam(
    space: SearchSpace[Any],
    weights: Weights,
    search: Any,
    oracle: Oracle[Any] | None,
    margin: float,
    start: Any,
) -> ClassBins:
    return ClassBins(_beam(space, weights, search, oracle, margin, start))


def _dp_beam(
    space: SearchSpace[Any],
    weights: Weights,
    search: Any,
    oracle: Oracle[Any] | None,
    margin: float,
    start: Any,
) -> DPTrace:
    return dp_beam(space, weights, search.width, oracle, start=start, margin=margin)


def _forest(space: Any, weights: Weights, search: Any, oracle: Any, margin: float, start: Any) -> ForestTrace:
    return forest(space, weights, search.width, oracle, margin=margin)


def _spanning(space: Any, weights: Weights, search: Any, oracle: Any, margin: float, start: Any) -> OneBin:
    return spanning(space, weights, oracle, margin=margin)


def _climbing(space: Any, weights: Weights, search: Any, oracle: Any, margin: float, start: Any) -> OneBin:
    return climbing(space, weights, search.width, oracle, margin=margin)


def _own(space: Any, weights: Weights, search: Any, oracle: Any, margin: float, start: Any) -> Bins:
    found: Bins = search.run(space, weights, oracle, margin, start)
    return found


class Kind(NamedTuple):
    """A member of the family of searches.

    Attributes
    ----------
    run
        From space, weights, description, oracle, margin and start to the bins.
    in_order
        Whether every bin comes after all bins before it, so that a search can go on from one: LaSO does that.
    space, oracle
        The required methods of a space and of an oracle.
    """

    run: Callable[..., Bins]
    in_order: bool
    space: Hooks = SPACE
    oracle: Hooks = ORACLE


SEARCHES: Mapping[str, Kind] = {
    "beam": Kind(_beam, in_order=True),
    "classes": Kind(_class_beam, in_order=False),
    "dp": Kind(_dp_beam, in_order=True),
    "forest": Kind(_forest, in_order=False, space=FOREST, oracle=FOREST_ORACLE),
    "swaps": Kind(_climbing, in_order=False, space=FOREST, oracle=FOREST_ORACLE),
    "mst": Kind(_spanning, in_order=False, space=HEADS, oracle=FOREST_ORACLE),
}


def kind_of(search: SearchName) -> Kind:
    """Return the member of the family that a description names, or that one of one's own is."""
    name = SEARCH.of(search, "kind")
    if name == "own":
        return Kind(_own, in_order=SEARCH.of(search, "in_order"))
    if name not in SEARCHES:
        raise SettingError(f"search of kind {name!r} is not known; use one of {', '.join(SEARCHES)}")
    return SEARCHES[name]


def decode(
    space: Any,
    weights: Weights,
    search: SearchName,
    oracle: Oracle[Any] | None = None,
    margin: float = 0.0,
    start: Any = None,
) -> Any:
    """Search in the way that `search` names, from the initial state or another one, and give its bins.

    The result is a `Bins`; for a beam it is a `Trace`.
    """
    search = named(search)
    return kind_of(search).run(space, weights, search, oracle, margin, start)


def predict(space: Any, weights: Weights, search: SearchName) -> Any:
    """Return the best output of a search as a derivation, which for a beam is a `Path`."""
    found = decode(space, weights, search)
    return found.best(found.final)
