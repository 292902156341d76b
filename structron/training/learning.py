"""Weights on their way, and the data they learn from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.errors import DataError, SettingError, StructronError
from structron.model import Model, Place, fault, halved, numbered, refusal
from structron.tasks.task import Corpus, Live, Rows, Task, empty_weights
from structron.training.recipe import Recipe

_CHOICES = ("all_subsets", "laso", "swvp")


@dataclass
class Learning:
    """A task, how it is learned, and the weights so far.

    Attributes
    ----------
    kept
        Which of the examples that were packed last are in the corpus, by their places.
    """

    task: Any  # a `Task`; whoever started it knows which
    recipe: Recipe
    weights: _core.Weights
    kept: list[int] = field(default_factory=list, compare=False)

    @classmethod
    def start(cls, task: Task, recipe: Recipe) -> Learning:
        """From zero, or from the weights with which a task with hidden parts tells them apart."""
        learning = cls(task, recipe, empty_weights(task))
        if begin := task.start(recipe.seed):
            key, column = zip(*begin)
            values = np.fromiter(begin.values(), np.float32)
            learning._take(np.array(key, np.uint64), np.array(column, np.uint32), values)
        return learning

    @classmethod
    def from_model(cls, model: Model, recipe: Recipe) -> Learning:
        """From a finished model: its weights are where learning starts, and averaging starts anew."""
        learning = cls(model.task, recipe, empty_weights(model.task))
        learning._take(*model.rows.cells())
        return learning

    def _take(
        self, keys: npt.NDArray[np.uint64], columns: npt.NDArray[np.uint32], weights: npt.NDArray[np.float32]
    ) -> None:
        """Set weights as they stand before anything is learned."""
        self.weights.restore(keys, columns, weights, np.zeros(len(weights)), self.weights.clock)

    def pack(self, xs: Iterable[Any], ys: Iterable[Any], place: Place = numbered) -> Corpus:
        """Examples as integers; what is wrong with one is told with its place."""
        corpus: Corpus = self.task.corpus(self.weights)
        self.kept = []
        for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
            before = corpus.sentences
            try:
                corpus.add(x, y)
            except (ValueError, TypeError) as error:
                raise DataError(f"{place(i)}: {fault(error)}; mend it or leave it out") from None
            if corpus.sentences > before:
                self.kept.append(i)
        if self.recipe.least_seen > 1:
            keys, times = corpus.counts()
            corpus.keep(keys[times >= self.recipe.least_seen])
        return corpus

    def __getstate__(self) -> dict[str, Any]:
        weights = (self.weights.state(), self.weights.clock)
        return {"task": self.task, "recipe": self.recipe, "weights": weights}

    def __setstate__(self, state: dict[str, Any]) -> None:
        cells, clock = state["weights"]
        self.task, self.recipe, self.kept = state["task"], state["recipe"], []
        self.weights = empty_weights(self.task)
        key, column, weight, past = cells
        self.weights.restore(key, column, weight, past, clock)

    def learner(self, corpus: Corpus, weights: _core.Weights | None = None) -> Live:
        """The engine's trainer on a packed corpus, of these weights or of a copy of them."""
        used = self.weights if weights is None else weights
        try:
            live: Live = self.task.live(corpus, used, self.recipe.choices)
        except StructronError:
            raise
        except ValueError as error:
            # What the engine says of a choice begins with its name.
            if str(error).startswith(_CHOICES):
                raise SettingError(f"learner {self.recipe.learner}: {error}") from None
            raise refusal(error) from None
        return live

    def model(self, about: dict[str, Any] | None = None) -> Model:
        """What has been learned so far."""
        rows = Rows(*self.weights.pack(self.recipe.learner_choice.averaged, self.recipe.negligible))
        if self.recipe.half:
            rows = halved(rows)
        return Model(self.task, rows, self.recipe.search_choice, about)
