"""Training on one corpus: example by example, or in minibatches that several threads decode."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from structron.fit.checkpoints.state import TrainingState
from structron.fit.learning import Learning, Packed, run
from structron.fit.recipe import Recipe
from structron.fit.schedules.ordering import pieces
from structron.fit.schedules.schedule import Report
from structron.fit.streaming.store import Store
from structron.task import Corpus, Live, Task


class Serial:
    """One update after the other, inside the engine.

    Parameters
    ----------
    threads
        The number of threads that decode a batch; the result does not depend on it.
    """

    def __init__(self, learning: Learning[Task], corpus: Corpus, threads: int = 1) -> None:
        self.learning, self.corpus, self.threads = learning, corpus, threads
        self.packed = Packed.of(corpus)
        learning.examples = max(1, corpus.sentences)
        self._live = learning.learner(corpus)

    @property
    def examples(self) -> int:
        """Return the number of examples."""
        return self.packed.sentences

    def close(self) -> None:
        """Do nothing: no resource is held."""

    def restarted(self) -> None:
        """Do nothing: there is no copy of the weights."""

    def epoch(self, state: TrainingState, report: Report) -> None:
        """Run the rest of the epoch."""
        run_epoch(state, self.learning.recipe, self.threads, report, lambda example: (self._live, 0))


class Streamed:
    """Serial training on shards on disk, with one at a time in memory."""

    def __init__(self, learning: Learning[Task], store: Store, threads: int = 1) -> None:
        self.learning, self.store, self.threads = learning, store, threads
        self.packed = store.packed
        learning.examples = max(1, store.packed.sentences)
        self._shard: tuple[int, Live] | None = None

    @property
    def examples(self) -> int:
        """Return the number of examples in all shards."""
        return self.packed.sentences

    def close(self) -> None:
        """Release the shard that is in memory."""
        self._shard = None

    def restarted(self) -> None:
        """Do nothing: there is no copy of the weights."""

    def epoch(self, state: TrainingState, report: Report) -> None:
        """Run the rest of the epoch, shard by shard."""
        run_epoch(state, self.learning.recipe, self.threads, report, self._live_for)

    def _live_for(self, example: int) -> tuple[Live, int]:
        number = example // self.store.block
        if self._shard is None or self._shard[0] != number:
            self._shard = None  # release it first: two would take twice the memory
            self._shard = number, self.learning.learner(self.store.corpus(number, self.learning))
        return self._shard[1], number * self.store.block


def run_epoch(
    state: TrainingState,
    recipe: Recipe,
    threads: int,
    report: Report,
    live_for: Callable[[int], tuple[Live, int]],
) -> None:
    """Learn from the rest of an epoch.

    `live_for` returns the trainer that has an example, and the number of its first example.
    """
    for start, end in pieces(state.order, state.done, recipe):
        wall, cpu = time.perf_counter(), time.process_time()
        live, first = live_for(int(state.order[start]))
        waited = live.waited_seconds
        state.counts += run(live, state.order[start:end] - np.uint32(first), recipe.batch, threads)
        state.seconds += time.perf_counter() - wall
        state.cpu_seconds += time.process_time() - cpu
        state.waited_seconds += live.waited_seconds - waited
        state.done = end
        report(True)
