"""Confusion sets: all pairs of gold and guess that an update may be made on.

Which they are depends on search and update method (Definitions 1 and 7 of Huang, Fayong & Guo 2012) and, for
mixed assignments, on the sub-structures (Definitions 6 and 7 of Dror & Reichart 2016). Listing is for small
examples: a set with more members than `limit` is given as None.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from structron.errors import TaskError
from structron.reference.learners.mixed_assignments import decisions
from structron.reference.learners.weights import SparseVector, pairs
from structron.reference.sequence.bins import is_gold
from structron.reference.sequence.spaces import Oracle, SearchSpace
from structron.reference.sequence.trace import Path, walk
from structron.theory.charts import chart_rows, is_chart, mixed_pairs

Actions = tuple[int, ...]
Substructures = Callable[[Sequence[Any], Sequence[Any]], Iterable[Iterable[int]]]


class Derivation(NamedTuple):
    """A path from the initial state: its actions, Φ, the step where it ends, and True if it is gold."""

    actions: Actions
    phi: SparseVector
    step: int
    good: bool
    final: bool


class TooMany(Exception):
    """Raised when there are more derivations than the limit."""


def confusion_set(
    space: SearchSpace[Any], oracle: Oracle[Any], *, prefixes: bool = False, limit: int = 2_000
) -> list[SparseVector] | None:
    """Return ΔΦ of all pairs of a gold and a wrong output; with `prefixes`, of all that end on one step.

    In a chart these are all derivations of one node.
    """
    rows: Sequence[Sequence[Any]] | None
    if is_chart(space):
        rows = chart_rows(space, oracle, prefixes=prefixes, limit=limit)
    else:
        rows = _paths(space, oracle, prefixes, limit)
    if rows is None:
        return None
    return _distinct(
        difference(gold.phi, guess.phi)
        for row in rows
        for gold in row
        if gold.good
        for guess in row
        if not guess.good
    )


def output_rows(
    space: SearchSpace[Any], oracle: Oracle[Any], *, limit: int = 2_000
) -> list[list[Derivation]] | None:
    """Return all outputs, gold and wrong, by the step where they end; None if there are more than `limit`."""
    return _paths(space, oracle, False, limit)


def mixed_set(
    space: SearchSpace[Any],
    oracle: Oracle[Any],
    substructures: Substructures,
    *,
    prefixes: bool = False,
    limit: int = 2_000,
) -> list[SparseVector] | None:
    """Return ΔΦ of gold and every mixed assignment m^J(z, gold) ≠ gold, for all guesses z and all J in JJ.

    A mixed assignment takes no more of the guess than the largest J has positions. Where every action is a
    decision, it is enough to look at the guesses that differ from gold in as many, and single positions are
    listed for long sentences too.
    """
    if is_chart(space):
        nodes = chart_rows(space, oracle, prefixes=prefixes, limit=limit)
        if nodes is None:
            return None
        both = (pair for row in nodes for pair in mixed_pairs(space, oracle, row, substructures))
        return _distinct(difference(*pair) for pair in both)
    gold_path = _gold(space, oracle)
    size = max((len(set(each)) for each in substructures(gold_path, (-1,) * len(gold_path))), default=0)
    steps = {space.step(state) for state in walk(space, space.initial(), gold_path)}
    one_by_one = len(steps) == max(steps) - min(steps) + 1
    try:
        near = gold_path if one_by_one else None
        found = derivations(space, oracle, limit=limit, near=near, differing=size)
        rows = _rows(found, prefixes)
    except TooMany:
        return None
    return _distinct(vector for row in rows for vector in _mixed_of(space, oracle, row, substructures))


def _mixed_of(
    space: Any, oracle: Oracle[Any], row: Sequence[Derivation], substructures: Substructures
) -> Iterator[SparseVector]:
    """Yield the differences of one row, which holds all derivations that end on one step."""
    known = {each.actions: each.phi for each in row}
    paths = [Path(each.actions, 0.0, walk(space, space.initial(), each.actions)) for each in row]
    for gold, gold_path in zip(row, paths):
        if not gold.good:
            continue
        for guess_path in paths:
            both = decisions(space, gold_path, guess_path)
            wrong = frozenset(k for k, (a, b) in enumerate(both) if a != b)
            sets = substructures([a for a, _ in both], [b for _, b in both])
            for positions in {frozenset(each) & wrong for each in sets}:
                mixed: Path = space.mixed(gold_path, guess_path, positions)
                if not is_gold(oracle, mixed):
                    phi = known.get(mixed.actions)
                    yield difference(gold.phi, _vector(space, mixed.actions) if phi is None else phi)


def derivations(
    space: SearchSpace[Any],
    oracle: Oracle[Any],
    *,
    limit: int = 2_000,
    near: Actions | None = None,
    differing: int = 0,
) -> Iterator[Derivation]:
    """Yield every path from the initial state, prefixes and outputs, but the empty one.

    Parameters
    ----------
    limit
        `TooMany` is raised after so many.
    near, differing
        Only paths that differ from the path `near` in at most so many places.
    """
    stack: list[tuple[Any, Derivation, int]] = [
        (space.initial(), Derivation((), {}, space.step(space.initial()), True, False), 0)
    ]
    count = 0
    while stack:
        state, path, wrong = stack.pop()
        if path.actions:
            count += 1
            if count > limit:
                raise TooMany
            yield path
        place = len(path.actions)
        for action in reversed(list(space.actions(state))):
            off = wrong + (near is not None and near[place] != action)
            if near is not None and off > differing:
                continue
            following = space.advance(state, action)
            phi = dict(path.phi)
            for name, value in pairs(space.features(state, action)):
                phi[name] = phi.get(name, 0.0) + value
            good = path.good and oracle.allows(state, action)
            step = space.step(following)
            longer = Derivation((*path.actions, action), phi, step, good, space.is_final(following))
            stack.append((following, longer, off))


def difference(gold: SparseVector, guess: SparseVector) -> SparseVector:
    """Return ΔΦ = Φ(gold) − Φ(guess), without zeros."""
    total = dict(gold)
    for name, value in guess.items():
        total[name] = total.get(name, 0.0) - value
    return {name: value for name, value in total.items() if value != 0.0}


def _paths(
    space: SearchSpace[Any], oracle: Oracle[Any], prefixes: bool, limit: int
) -> list[list[Derivation]] | None:
    try:
        return _rows(derivations(space, oracle, limit=limit), prefixes)
    except TooMany:
        return None


def _rows(found: Iterable[Derivation], prefixes: bool) -> list[list[Derivation]]:
    """Group the derivations by the step where they end; without `prefixes` keep only the outputs."""
    rows: dict[int, list[Derivation]] = defaultdict(list)
    for each in found:
        if prefixes or each.final:
            rows[each.step].append(each)
    return list(rows.values())


def _distinct(vectors: Iterable[SparseVector]) -> list[SparseVector]:
    return list({frozenset(vector.items()): vector for vector in vectors}.values())


def _gold(space: SearchSpace[Any], oracle: Oracle[Any]) -> Actions:
    """Return the first gold path."""
    state = space.initial()
    actions: list[int] = []
    while not space.is_final(state):
        allowed = [action for action in space.actions(state) if oracle.allows(state, action)]
        if not allowed:
            raise TaskError(f"theory: gold ends after {len(actions)} actions; see check_oracle")
        actions.append(allowed[0])
        state = space.advance(state, allowed[0])
    return tuple(actions)


def _vector(space: SearchSpace[Any], actions: Actions) -> SparseVector:
    """Return Φ of a path."""
    state = space.initial()
    phi: SparseVector = {}
    for action in actions:
        for name, value in pairs(space.features(state, action)):
            phi[name] = phi.get(name, 0.0) + value
        state = space.advance(state, action)
    return phi
