"""Serial training: one example after the other, inside the engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from structron import _core
from structron.errors import DataError, SettingError
from structron.model import Model, Place, fault, numbered
from structron.tasks.task import Corpus, Live, Rows, Task
from structron.training.checkpoints import Standing
from structron.training.epoch import Epoch
from structron.training.recipe import Recipe

# So many sentences between two looks at the progress bar, and at Ctrl-C.
CHUNK = 256

Progress = Callable[[int, int, int], None]  # epoch, examples done, examples in all
Score = Callable[[Model], float]
Keep = Callable[[Standing, bool], None]


@dataclass
class Learning:
    """Weights on their way, and the data they learn from."""

    task: Any  # a `Task`; whoever started it knows which
    recipe: Recipe
    weights: _core.Weights

    @classmethod
    def start(cls, task: Task, recipe: Recipe) -> Learning:
        """From zero."""
        return cls(task, recipe, _core.Weights(task.actions, task.bits))

    @classmethod
    def from_model(cls, model: Model, recipe: Recipe) -> Learning:
        """From a finished model: its weights are where learning starts, and averaging starts anew."""
        learning = cls.start(model.task, recipe)
        keys, offsets, actions, weights = model.rows
        spread = np.repeat(keys, np.diff(offsets))
        learning.weights.restore(
            spread, np.asarray(actions), np.asarray(weights), np.zeros(len(weights)), learning.weights.clock
        )
        return learning

    def pack(self, xs: Iterable[Any], ys: Iterable[Any], place: Place = numbered) -> Corpus:
        """Examples as integers; what is wrong with one is told with its place."""
        corpus: Corpus = self.task.corpus(self.weights)
        for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
            try:
                corpus.add(x, y)
            except (ValueError, TypeError) as error:
                raise DataError(f"{place(i)}: {fault(error)}; mend it or leave it out") from None
        if self.recipe.cut > 1:
            corpus.cut(self.recipe.cut)
        return corpus

    def __getstate__(self) -> dict[str, Any]:
        weights = (self.weights.actions, self.weights.state(), self.weights.clock)
        return {"task": self.task, "recipe": self.recipe, "weights": weights}

    def __setstate__(self, state: dict[str, Any]) -> None:
        actions, cells, clock = state["weights"]
        self.task, self.recipe, self.weights = (
            state["task"],
            state["recipe"],
            _core.Weights(actions, state["task"].bits),
        )
        key, action, weight, past = cells
        self.weights.restore(key, action, weight, past, clock)

    def learner(self, corpus: Corpus) -> Live:
        """The engine's trainer on a packed corpus."""
        try:
            live: Live = self.task.live(corpus, self.weights, self.recipe.choices)
        except ValueError as error:
            raise SettingError(f"learner {self.recipe.learner}: {error}") from None
        return live

    def model(self, about: dict[str, Any] | None = None) -> Model:
        """What has been learned so far."""
        rows = Rows(*self.weights.pack(self.recipe.learner_choice.averaged, self.recipe.negligible))
        return Model(self.task, rows, self.recipe.search_choice, about)


def epochs(
    learning: Learning,
    corpus: Corpus,
    score: Score | None = None,
    progress: Progress | None = None,
    standing: Standing | None = None,
    keep: Keep | None = None,
) -> Iterator[tuple[Epoch, Model]]:
    """Train epoch by epoch; each comes with the model of that moment.

    Parameters
    ----------
    score
        Measures a model on the development set; without it no epoch is better than another.
    progress
        Told now and then how far the epoch is.
    standing
        Where to go on; otherwise training starts with the first epoch.
    keep
        Told where training stands, and whether an epoch has just ended: it may write that down.
    """
    recipe = learning.recipe
    standing = standing or Standing()
    rng = standing.generator(recipe.seed)
    trainer = learning.learner(corpus)
    while standing.number <= recipe.epochs:
        if not len(standing.order):
            order = np.arange(corpus.sentences, dtype=np.uint32)
            if recipe.shuffle:
                rng.shuffle(order)
            standing.begin(order, rng)
        size = len(standing.order)
        for start in range(standing.done, size, CHUNK):
            wall, cpu = time.perf_counter(), time.process_time()
            standing.counts += trainer.run(standing.order[start : start + CHUNK])
            standing.seconds += time.perf_counter() - wall
            standing.cpu_seconds += time.process_time() - cpu
            standing.done = min(start + CHUNK, size)
            if progress is not None:
                progress(standing.number, standing.done, size)
            if keep is not None:
                keep(standing, False)
        model = learning.model()
        epoch = _epoch(standing, corpus.tokens, score(model) if score is not None else None)
        standing.end(epoch, model.rows)
        if keep is not None:
            keep(standing, True)
        yield epoch, model


def _epoch(standing: Standing, tokens: int, dev: float | None) -> Epoch:
    """What the epoch that has just been run did."""
    examples, _, errors, updates, invalid, early = (int(c) for c in standing.counts)
    return Epoch(
        standing.number,
        examples,
        tokens,
        errors,
        updates,
        invalid,
        early,
        dev,
        dev is None or dev > standing.best_dev,
        standing.seconds,
        standing.cpu_seconds,
    )
