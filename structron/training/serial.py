"""Training on one corpus: example by example, or in minibatches that several threads decode."""

from __future__ import annotations

import time

from structron.tasks.task import Corpus, Task
from structron.training.learning import Learning, Packed
from structron.training.schedule import CHUNK, Report
from structron.training.state import TrainingState


class Serial:
    """One update after the other, inside the engine.

    Parameters
    ----------
    threads
        How many decode the examples of a batch; the result does not depend on it.
    """

    def __init__(self, learning: Learning[Task], corpus: Corpus, threads: int = 1) -> None:
        self.learning, self.corpus, self.threads = learning, corpus, threads
        self.packed = Packed.of(corpus)
        self._live = learning.learner(corpus)

    @property
    def examples(self) -> int:
        """How many examples there are."""
        return self.packed.sentences

    def close(self) -> None:
        """Nothing is held."""

    def epoch(self, state: TrainingState, report: Report) -> None:
        """What is left of the epoch; a batch is never cut in two."""
        batch, size = self.learning.recipe.batch, len(state.order)
        chunk = max(1, CHUNK // batch) * batch
        for start in range(state.done, size, chunk):
            piece = state.order[start : start + chunk]
            wall, cpu, waited = time.perf_counter(), time.process_time(), self._live.waited_seconds
            state.counts += self._live.run(piece, batch, self.threads)
            state.seconds += time.perf_counter() - wall
            state.cpu_seconds += time.process_time() - cpu
            state.waited_seconds += self._live.waited_seconds - waited
            state.done = min(start + chunk, size)
            report(True)
