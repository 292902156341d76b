"""Iterative parameter mixing (McDonald, Hall & Mann 2010).

The data are split into shards. In every epoch each shard trains once on its own, from the common weights;
then the weights of all are mixed. The result depends neither on how many shards run at a time nor on where.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.engine.processors import usable_processors
from structron.fit.checkpoints.state import TrainingState
from structron.fit.learning import Learning, Packed
from structron.fit.schedules.ordering import CHUNK
from structron.fit.schedules.schedule import Report, Watch, Worker
from structron.fit.schedules.shards import Numbers, Shard, check_round, mix, split
from structron.fit.schedules.thread_pool import ThreadPool
from structron.task import Corpus, Task


class Mixing:
    """The schedule on one machine: shards run in threads, as many at a time as there are threads."""

    def __init__(
        self,
        learning: Learning[Task],
        corpus: Corpus,
        threads: int = 1,
        watch: Watch | None = None,
        file_of: Sequence[int] = (),
    ) -> None:
        # If examples come from several files, each shard has its own files; `file_of` maps examples to files.
        self.places = [file_of[place] for place in learning.included] if file_of else learning.included
        self.learning, self.corpus, self.threads, self.watch = learning, corpus, threads, watch
        self.packed = Packed.of(corpus)
        self._shards: list[Shard] = []

    @property
    def examples(self) -> int:
        """Return the number of examples in all shards."""
        return self.packed.sentences

    def close(self) -> None:
        """Do nothing: no resource is held."""

    def restarted(self) -> None:
        """Let shards take the common weights again."""
        self._shards = []

    def epoch(self, state: TrainingState, report: Report) -> None:
        """Run the rest of the round; each shard continues from the checkpoint."""
        recipe = self.learning.recipe
        clock = _Clock(state)
        dealt = split(state.order, self.places, recipe.shards)
        check_round(state.round, dealt, state.place)
        self._start(state)
        busy = np.zeros(recipe.shards)
        done = np.zeros(recipe.shards, np.int64)
        for number, result in state.round.items():
            done[number] = result.done
        chunk = max(1, CHUNK // recipe.batch) * recipe.batch

        def train(number: int) -> None:
            began = time.perf_counter()
            stop.enter()
            try:
                for start in range(int(done[number]), len(dealt[number]), chunk):
                    self._shards[number].run(dealt[number][start : start + chunk])
                    done[number] = min(start + chunk, len(dealt[number]))
            finally:
                stop.leave()
            busy[number] = time.perf_counter() - began

        stop = _core.Stop()  # only the main thread receives signals, and passes them on
        began = time.perf_counter()
        with ThreadPool(min(self.threads, recipe.shards, usable_processors())) as pool:
            try:
                waiting = [pool.submit(train, number) for number in range(recipe.shards)]
                for future in waiting:
                    while not _is_over(future):
                        state.done = int(done.sum())
                        if report(False):
                            state.round = {n: each.so_far() for n, each in enumerate(self._shards)}
                            clock.read()
                            report(True)
                        self._show(done, dealt)
                    future.result()
            except BaseException:
                stop.set()
                self._shards = []
                raise
            ended = time.perf_counter()
            parts = pool.map(Shard.finish, self._shards)
            mixture = mix(self.learning.weights, parts, recipe.mixing, self.threads)
            pool.map(lambda shard: shard.take(mixture), self._shards)
        state.counts += sum(each.counts for each in parts)
        state.done = len(state.order)
        clock.read()
        state.waited_seconds += len(pool) * (ended - began) - float(busy.sum())
        report(False)
        self._show(done, dealt)

    def _start(self, state: TrainingState) -> None:
        """Create the shards from the common weights, or as a checkpoint has them."""
        if self._shards:
            return
        for number in range(self.learning.recipe.shards):
            weights = self.learning.weights.copy()
            live = self.learning.learner(self.corpus, weights)
            self._shards.append(Shard(weights, live, self.learning.recipe.batch))
            if number in state.round:
                self._shards[number].resume(state.round[number])

    def _show(self, done: npt.NDArray[np.int64], dealt: Sequence[Numbers]) -> None:
        if self.watch is not None:
            self.watch(
                [Worker(f"shard {i + 1}", int(n), len(of)) for i, (n, of) in enumerate(zip(done, dealt))]
            )


class _Clock:
    """Adds elapsed time to the training state."""

    def __init__(self, state: TrainingState) -> None:
        self.state = state
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def read(self) -> None:
        wall, cpu = time.perf_counter(), time.process_time()
        self.state.seconds += wall - self.wall
        self.state.cpu_seconds += cpu - self.cpu
        self.wall, self.cpu = wall, cpu


def _is_over(future: Future[None]) -> bool:
    """Wait a little for a future; return True if it is done."""
    try:
        future.exception(timeout=0.2)
    except TimeoutError:
        return False
    return True
