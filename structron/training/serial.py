"""Training on one corpus: example by example, or in minibatches that several threads decode."""

from __future__ import annotations

import time

from structron.tasks.task import Corpus
from structron.training.checkpoints import Standing
from structron.training.learning import Learning
from structron.training.schedule import CHUNK, Tell


class Serial:
    """One update after the other, inside the engine.

    Parameters
    ----------
    threads
        How many decode the examples of a batch; the result does not depend on it.
    """

    def __init__(self, learning: Learning, corpus: Corpus, threads: int = 1) -> None:
        self.learning, self.corpus, self.threads = learning, corpus, threads
        self._live = learning.learner(corpus)

    @property
    def examples(self) -> int:
        """How many examples there are."""
        return self.corpus.sentences

    @property
    def tokens(self) -> int:
        """How many tokens they have."""
        return self.corpus.tokens

    def close(self) -> None:
        """Nothing is held."""

    def epoch(self, standing: Standing, tell: Tell) -> None:
        """What is left of the epoch; a batch is never cut in two."""
        batch, size = self.learning.recipe.batch, len(standing.order)
        chunk = max(1, CHUNK // batch) * batch
        for start in range(standing.done, size, chunk):
            piece = standing.order[start : start + chunk]
            wall, cpu, waited = time.perf_counter(), time.process_time(), self._live.waited_seconds
            standing.counts += self._live.run(piece, batch, self.threads)
            standing.seconds += time.perf_counter() - wall
            standing.cpu_seconds += time.process_time() - cpu
            standing.waited_seconds += self._live.waited_seconds - waited
            standing.done = min(start + chunk, size)
            tell(True)
