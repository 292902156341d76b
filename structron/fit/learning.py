"""Weights on their way, and the data they learn from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.engine.rows import Rows
from structron.engine.weights import empty_weights
from structron.errors import DataError, SettingError, StructronError
from structron.fit.recipe import Recipe
from structron.learners import CRF, SSVM
from structron.model import Model, Place, Task_co, TaskT, fault, halved, numbered, refusal
from structron.progress import report_progress
from structron.task import Corpus, Live, Supplied, counted

PIECE = 1024  # examples between two reports of progress


def run(
    live: Live, examples: npt.NDArray[np.uint32], batch: int, threads: int = 1
) -> tuple[int, int, int, int, int, int]:
    """Learn from these examples; report in one sentence what the engine refuses."""
    try:
        return live.run(examples, batch, threads)
    except StructronError:
        raise
    except _core.ChoiceRefused as error:
        raise SettingError(str(error)) from None
    except ValueError as error:
        raise refusal(error) from None


class Packed(NamedTuple):
    """The size of packed data: examples, their tokens, and examples that no derivation yields."""

    sentences: int
    tokens: int
    unreachable: int = 0

    @classmethod
    def of(cls, corpus: Corpus) -> Packed:
        """Count a corpus; one whose gold can always be reached does not count the others."""
        return cls(corpus.sentences, corpus.tokens, getattr(corpus, "unreachable", 0))


@dataclass
class Learning(Generic[Task_co]):
    """A task, how it is learned, and the weights so far.

    Attributes
    ----------
    included
        Which of the examples that were packed last are in the corpus, by their places.
    examples
        How many there are in one pass, for learners that must know.
    """

    task: Task_co
    recipe: Recipe
    weights: _core.Weights
    included: list[int] = field(default_factory=list, compare=False)
    examples: int = field(default=1, compare=False)

    @classmethod
    def start(cls, task: TaskT, recipe: Recipe) -> Learning[TaskT]:
        """From zero, or from the weights that a task with hidden parts starts from."""
        learning = Learning(task, recipe, empty_weights(task))
        if begin := task.start(recipe.seed):
            key, column = zip(*begin)
            values = np.fromiter(begin.values(), np.float32)
            learning._take(np.array(key, np.uint64), np.array(column, np.uint32), values)
        return learning

    @classmethod
    def from_model(cls, model: Model[TaskT], recipe: Recipe) -> Learning[TaskT]:
        """Start from the weights of a finished model, with a new average."""
        learning = Learning(model.task, recipe, empty_weights(model.task))
        learning._take(*model.rows.cells())
        return learning

    def continued(self, task: TaskT, recipe: Recipe) -> Learning[TaskT]:
        """Return the same weights for the next batch, whose task may know more."""
        return Learning(task, recipe, self.weights)

    def with_labels(self, labels: Sequence[str]) -> Learning[Any]:
        """Return the same weights for a task with more labels."""
        from structron.engine.changes import with_labels

        task, columns = with_labels(self.task, list(labels))
        weights = empty_weights(task)
        keys, column, weight, past = self.weights.state()
        dense = keys == np.uint64(_core.Weights.DENSE)
        place = np.where(dense, column, np.asarray(columns, np.uint32)[np.where(dense, 0, column)])
        weights.restore(keys, place.astype(np.uint32), weight, past, self.weights.clock)
        return Learning(task, self.recipe, weights, examples=self.examples)

    def _take(
        self, keys: npt.NDArray[np.uint64], columns: npt.NDArray[np.uint32], weights: npt.NDArray[np.float32]
    ) -> None:
        """Set the weights that training starts from."""
        weights = weights * np.float32(self._scale(0))
        self.weights.restore(keys, columns, weights, np.zeros(len(weights)), self.weights.clock)

    def _scale(self, seen: int) -> float:
        """Return how many times too long the weights are, for a learner that scales them."""
        learner = self.recipe.learner_choice
        return learner.scale(seen, self.examples) if isinstance(learner, SSVM | CRF) else 1.0

    def restart(self) -> None:
        """All weights are zero again, and what was learned stays in the mean."""
        keys, columns, weights, past = self.weights.state()
        clock = self.weights.clock
        # The mean is w - past / clock: it does not change where w goes to zero and past takes clock * w off.
        self.weights.restore(
            keys, columns, np.zeros_like(weights), past - float(clock) * weights.astype(np.float64), clock
        )

    def pack(self, xs: Iterable[object], ys: Iterable[object], place: Place = numbered) -> Corpus:
        """Examples as integers; an error names the place of the example."""
        corpus = self.task.corpus(self.weights)
        self.included = []
        for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
            before = corpus.sentences
            try:
                corpus.add(x, y, *(y.more if isinstance(y, Supplied) else ()))
            except (ValueError, TypeError) as error:
                raise DataError(f"{place(i)}: {fault(error)}; fix it or leave it out") from None
            if i % PIECE == PIECE - 1 and isinstance(xs, Sized):
                report_progress("packing", i + 1, len(xs))
            if corpus.sentences > before:
                self.included.append(i)
        if self.recipe.least_seen > 1:
            keys, times = counted(corpus).counts()
            counted(corpus).keep(keys[times >= self.recipe.least_seen])
        return corpus

    def __getstate__(self) -> dict[str, Any]:
        weights = (self.weights.state(), self.weights.clock)
        return {"task": self.task, "recipe": self.recipe, "weights": weights, "examples": self.examples}

    def __setstate__(self, state: dict[str, Any]) -> None:
        cells, clock = state["weights"]
        self.task, self.recipe, self.included = state["task"], state["recipe"], []
        self.examples = state.get("examples", 1)
        self.weights = empty_weights(self.task)
        key, column, weight, past = cells
        self.weights.restore(key, column, weight, past, clock)

    def learner(self, corpus: Corpus, weights: _core.Weights | None = None) -> Live:
        """The engine's trainer on a packed corpus, of these weights or of a copy of them."""
        used = self.weights if weights is None else weights
        choices, learner = self.recipe.choices, self.recipe.learner_choice
        if isinstance(learner, SSVM | CRF):
            choices = choices._replace(learner=learner.engine(self.examples))
        try:
            live: Live = self.task.live(corpus, used, choices)
            if choices.chooser is not None:
                live.choose_with(choices.chooser)
        except StructronError:
            raise
        except ValueError as error:
            if isinstance(error, _core.ChoiceRefused):
                raise SettingError(f"learner {self.recipe.learner}: {error}") from None
            raise refusal(error) from None
        return live

    def model(self) -> Model[Task_co]:
        """Return the current weights."""
        scale = self._scale(self.weights.clock - 1)
        averaged, least = self.recipe.learner_choice.averaged, self.recipe.least_weight
        rows = Rows(*self.weights.pack(averaged, least * scale))
        if scale != 1:
            by = np.float32(1 / scale)
            rows = rows._replace(weights=rows.weights * by, dense=rows.dense * by)
        if self.recipe.half:
            rows = halved(rows)
        return Model(self.task, rows, self.recipe.search_to_predict)
