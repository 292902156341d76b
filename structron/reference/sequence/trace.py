"""Trace: the beams of a search, the gold side, and the three numbers per step that update methods read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structron.reference.sequence.bins import Move
from structron.reference.sequence.spaces import SearchSpace

Row = list["Item"]


@dataclass(frozen=True, slots=True)
class Item:
    """A candidate in a beam: a state with its score and back-pointer.

    `parent` is a rank in the beam of row `parent_step`; both are -1 for a child of the initial state.
    `gain` is the score of the last arc, the parent's score plus it is `score`.
    `good` says that every action up to here was allowed by the oracle.
    `future` is what the space expects of the rest of the way: it decides who is kept, and is not part of the
    score.
    """

    state: Any
    score: float
    action: int
    parent: int
    parent_step: int
    good: bool
    gain: float
    future: float = 0.0

    @property
    def rank(self) -> float:
        """Return the value by which items compete for a place in the beam."""
        return self.score + self.future

    @property
    def order(self) -> tuple[float, int, int, int]:
        """Return a sort key, smaller is better: higher rank, then earlier parent, then lower action."""
        return (-self.rank, self.parent_step, self.parent, self.action)


class Path(NamedTuple):
    """A derivation or its prefix: the actions, their score, and the states from the initial one on."""

    actions: tuple[int, ...]
    score: float
    states: tuple[Any, ...]

    @property
    def parts(self) -> list[Move]:
        """Return each action with its state."""
        return [Move(state, action) for state, action in zip(self.states, self.actions)]

    def apart_from(self, other: Path) -> list[Move]:
        """Return the moves after the common prefix; later moves from other states count as different."""
        shared = 0
        for a, b in zip(self.actions, other.actions):
            if a != b:
                break
            shared += 1
        return self.parts[shared:]

    def distance(self, other: Path) -> float:
        """Count the places in which the actions differ; the rest of a longer path counts too."""
        differing = sum(a != b for a, b in zip(self.actions, other.actions))
        return float(differing + abs(len(self.actions) - len(other.actions)))


@dataclass(frozen=True, eq=False)
class Trace:
    """The rows of a search, which are its bins; row 0 is after the first action, -1 the initial state.

    Attributes
    ----------
    space
        The space that was searched.
    start
        Where the search began: the initial state, or where LaSO restarted.
    beams
        For each row the items kept, by rank; empty where no path has a state on that step. The best item is
        the one with the highest score: the first, unless the space looks into the future.
    gold_beams
        The rows of the search restricted to allowed actions.
    gold_in_beam
        For each row, whether gold is still in the search: a good item is in the beam (with merging: as the
        survivor of its class), or has skipped this step and waits on a later one. Once False, always False.
    classes
        For exact search, for each row and item all candidates merged into it (itself among them), in order:
        the lattice of all paths. Empty for other searches.
    """

    space: SearchSpace[Any]
    start: Any
    beams: list[Row]
    gold_beams: list[Row]
    gold_in_beam: NDArray[np.bool_]
    classes: list[list[Row]] = field(default_factory=list)

    @property
    def final(self) -> int:
        """Return the last row; -1 if the initial state is final."""
        return len(self.beams) - 1

    @property
    def golds(self) -> list[Item | None]:
        """Return the best gold item of each row, in the beam or not; None for a row without a gold state."""
        return [row[best_of(row)] if row else None for row in self.gold_beams]

    @property
    def best_score(self) -> NDArray[np.float64]:
        """Return the best score of each row; NaN for an empty row."""
        return _best_scores(self.beams)

    @property
    def gold_score(self) -> NDArray[np.float64]:
        """Return the best gold score of each row; NaN for a row without a gold state."""
        return _best_scores(self.gold_beams)

    @property
    def best_is_gold(self) -> NDArray[np.bool_]:
        """Return for each row True if its best item is gold; False for an empty row."""
        return np.array([bool(row) and row[best_of(row)].good for row in self.beams], dtype=np.bool_)

    @property
    def fallen(self) -> NDArray[np.bool_]:
        """Return True from the first row on that has gold with none left in the search (footnote 3)."""
        return np.logical_or.accumulate(~self.gold_in_beam & ~np.isnan(self.gold_score))

    def span(self, step: int) -> tuple[int, int]:
        """Return the covered part of the input: paths to every row begin at the start."""
        return (0, step + 1)

    def best(self, step: int) -> Path:
        """Return the best path to row `step`."""
        return self.path(step, best_of(self.beams[step]) if step >= 0 else 0)

    def path(self, step: int, rank: int) -> Path:
        """Return the path to one item."""
        return _path(self.start, self.beams, step, rank)

    def gold(self, step: int) -> Path:
        """Return the best gold path to row `step`."""
        return _path(self.start, self.gold_beams, step, best_of(self.gold_beams[step]) if step >= 0 else 0)

    def gold_path(self, step: int, rank: int) -> Path:
        """Return the path to one item of the gold side."""
        return _path(self.start, self.gold_beams, step, rank)

    def kbest(self, k: int, step: int | None = None) -> list[Path]:
        """Return the `k` best paths, best first: of all paths from exact search, of the last row from a beam.

        With `step`, the same for the paths to that row. Where several paths yield one output, see `outputs`.

        Ties go to the path with the earlier parent, then to the lower action.
        """
        step = self.final if step is None else step
        if step < 0:
            return [Path((), 0.0, (self.start,))][:k]
        if not self.classes:
            ranks = range(len(self.beams[step]))
            best_first = sorted(ranks, key=lambda rank: -self.beams[step][rank].score)
            return [self.path(step, rank) for rank in best_first[:k]]
        paths = _kbest_actions(self.classes[: step + 1], k)
        paths.sort(key=lambda path: -path[0])
        return [self._replay(actions, score) for score, actions in paths[:k]]

    def outputs(self, k: int, output: Callable[[tuple[int, ...]], Any]) -> list[Path]:
        """Return the `k` best different outputs, each by its best path, or as many as the search can give.

        `output` says what the actions of a path yield.
        """
        wanted = k
        while True:
            paths = self.kbest(wanted)
            found: list[tuple[Any, Path]] = []
            for path in paths:
                yielded = output(path.actions)
                if all(yielded != known for known, _ in found):
                    found.append((yielded, path))
            if len(found) >= k or len(paths) < wanted:
                return [path for _, path in found[:k]]
            wanted *= 2

    def _replay(self, actions: tuple[int, ...], score: float) -> Path:
        """Return the path with its own states: merging retained only the survivors'."""
        return Path(actions, score, walk(self.space, self.start, actions))


def walk(space: SearchSpace[Any], start: Any, actions: Sequence[int]) -> tuple[Any, ...]:
    """Return the states that actions lead through, the first included."""
    states = [start]
    for action in actions:
        states.append(space.advance(states[-1], action))
    return tuple(states)


def best_of(row: Row) -> int:
    """Return the index of the item with the highest score; of equals the first."""
    return max(range(len(row)), key=lambda rank: row[rank].score)


def _best_scores(rows: Sequence[Row]) -> NDArray[np.float64]:
    return np.array([row[best_of(row)].score if row else np.nan for row in rows], dtype=np.float64)


def _kbest_actions(classes: list[list[Row]], k: int) -> list[tuple[float, tuple[int, ...]]]:
    """Return the paths to the last row of a lattice, the `k` best of each node (Huang & Chiang 2005).

    They are ordered by rank: as in the beam itself, that decides which of two paths is the earlier parent.
    """
    # Children of the start have step -1 and parent -1: the last, and only, node of row -1.
    rows: dict[int, list[tuple[float, tuple[int, ...]]]] = {-1: [(0.0, ())]}
    to_node: dict[int, list[list[int]]] = {-1: [[0]]}  # where in its row the paths to each node stand
    for step, nodes in enumerate(classes):
        # Rank, parent and action tell any two entries of a row apart: they are the order.
        entries = sorted(
            (*entry, node)
            for node, arcs in enumerate(nodes)
            for entry in sorted(
                (-(score + arc.future), arc.parent_step, place, arc.action, score)
                for arc in arcs
                for place in to_node[arc.parent_step][arc.parent]
                for score in [rows[arc.parent_step][place][0] + arc.gain]
            )[:k]
        )
        rows[step] = [
            (score, (*rows[parent_step][place][1], action))
            for _, parent_step, place, action, score, _ in entries
        ]
        to_node[step] = [[] for _ in nodes]
        for place, entry in enumerate(entries):
            to_node[step][entry[-1]].append(place)
    return rows[len(classes) - 1]


def _path(start: Any, rows: Sequence[Row], step: int, rank: int) -> Path:
    """Follow the back-pointers from one item."""
    actions: list[int] = []
    states: list[Any] = []
    score = 0.0 if step < 0 else rows[step][rank].score
    while step >= 0:
        item = rows[step][rank]
        actions.append(item.action)
        states.append(item.state)
        step, rank = item.parent_step, item.parent
    return Path(tuple(reversed(actions)), score, (start, *reversed(states)))
