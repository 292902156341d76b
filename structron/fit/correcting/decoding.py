"""Examples as they are decoded while a change is looked for: with gold beside them, in the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.engine.rows import Rows
from structron.errors import StructronError
from structron.fit.correcting.constraints import NOTHING, Cells, Difference, cells_at
from structron.fit.learning import Learning
from structron.fit.recipe import Recipe
from structron.model import Model, fault
from structron.task import Supplied


class Wrong(NamedTuple):
    """A wrong example: gold is behind a guess by `excess`, which includes the margin."""

    example: int
    delta: Difference
    excess: float


class LiveWeights:
    """The weights of a finished model in the engine, where a change can be tried out."""

    def __init__(self, model: Model[Any], recipe: Recipe) -> None:
        self.learning = Learning.from_model(model, recipe)
        self.model = model
        self._tried = NOTHING

    def take(self, cells: Cells) -> None:
        """Let the weights be those of the model, changed by these cells and no others."""
        self._set(self._tried, np.zeros(len(self._tried.keys), np.float32))
        self._set(cells, cells.values.astype(np.float32))
        self._tried = cells

    def become(self, model: Model[Any]) -> None:
        """Be the weights of the model with the change that was tried out."""
        self.model, self._tried = model, NOTHING

    def _set(self, cells: Cells, change: npt.NDArray[np.float32]) -> None:
        if len(cells.keys):
            weights = self.learning.weights
            values = weights_at(self.model.rows, cells.keys, cells.columns) + change
            weights.restore(cells.keys, cells.columns, values, np.zeros(len(values)), weights.clock)


def weights_at(
    rows: Rows, keys: npt.NDArray[np.uint64], columns: npt.NDArray[np.uint32]
) -> npt.NDArray[np.float32]:
    """Return the weights of some cells; those that are not there are 0."""
    found = np.zeros(len(keys), np.float32)
    at = np.searchsorted(rows.keys, keys)
    has_row = at < len(rows.keys)
    has_row[has_row] = rows.keys[at[has_row]] == keys[has_row]
    row, wanted = at[has_row], np.flatnonzero(has_row)
    ends = rows.offsets.astype(np.intp)
    is_there, cells = cells_at(rows.columns, ends[row], ends[row + 1], columns[wanted])
    found[wanted[is_there]] = rows.weights[cells]
    dense = keys == np.uint64(_core.Weights.DENSE)
    found[dense] = rows.dense[columns[dense]] if dense.any() else 0.0
    return found


@dataclass
class Watched:
    """Some examples, packed, with what search must leave of them.

    Attributes
    ----------
    weights
        The weights with which they are decoded.
    recipe
        How: its learner's margin is in the search.
    refused
        By number, what the engine says of examples that it does not take.
    """

    weights: LiveWeights
    recipe: Recipe
    refused: dict[int, str] = field(default_factory=dict)
    _numbers: set[int] = field(default_factory=set)
    _corpora: list[tuple[Any, list[int]]] = field(default_factory=list)

    def __contains__(self, number: int) -> bool:
        return number in self._numbers

    def add(self, xs: Sequence[Any], ys: Sequence[Any], numbers: Sequence[int]) -> None:
        """Pack more examples; `numbers` are their names."""
        learning = self._learning()
        corpus, included = learning.task.corpus(learning.weights), list[int]()
        for x, y, number in zip(xs, ys, numbers):
            more = y.more if isinstance(y, Supplied) else ()
            before = corpus.sentences
            try:
                # What is refused half-way must not be left in the corpus of the others.
                learning.task.corpus(learning.weights).add(x, y, *more)
                corpus.add(x, y, *more)
            except (ValueError, TypeError, StructronError) as error:
                self.refused[number] = fault(error)
                continue
            if corpus.sentences > before:
                included.append(number)
            else:
                self.refused[number] = ""
        if included:
            self._corpora.append((corpus, included))
            self._numbers |= set(included)

    def wrong(self, threads: int, without: frozenset[int] = frozenset()) -> list[Wrong]:
        """Return the faults of the current weights, by example."""
        found = []
        for corpus, included in self._corpora:
            asked = [i for i, number in enumerate(included) if number not in without]
            if not asked:
                continue
            # A new trainer: one that has searched before remembers scores.
            live = self._learning().learner(corpus)
            names = np.array([included[i] for i in asked], np.uint32)
            _, arrays = live.find(np.array(asked, np.uint32), names, threads)
            example, _, _, excess, _, offsets, keys, columns, values = arrays
            for j, number in enumerate(example.tolist()):
                piece = slice(int(offsets[j]), int(offsets[j + 1]))
                delta = Difference(keys[piece], columns[piece], values[piece])
                found.append(Wrong(number, delta, float(excess[j])))
        return found

    def has_gold(self, number: int) -> bool:
        """Return True if some derivation of an example is gold; the search may have lost it."""
        for corpus, included in self._corpora:
            if number in included:
                trace = self._learning().learner(corpus).trace(included.index(number))
                return bool(len(trace["gold_score"]) and not np.isnan(trace["gold_score"][-1]))
        return False

    def _learning(self) -> Learning[Any]:
        shared = self.weights.learning
        return Learning(shared.task, self.recipe, shared.weights)
