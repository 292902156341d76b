"""Iterative parameter mixing (McDonald, Hall & Mann 2010).

The data are split into shards. In every epoch each shard is trained on once from the common weights, on its
own; then the weights of all are mixed. What a shard makes of its epoch depends on nothing but the common
weights and its examples in their order, and shards are mixed in the order of their numbers: the result
depends neither on how many of them run at a time nor on where.

Only rows that changed travel: up from each shard, and down to all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.tasks.task import Corpus, Live
from structron.training.checkpoints import Standing
from structron.training.learning import Learning
from structron.training.schedule import CHUNK, Watch, Worker

Cells = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]
Numbers = npt.NDArray[np.uint32]


class Given(NamedTuple):
    """What a shard has made of its epoch: the rows it has changed, its clock, what happened, CPU time."""

    cells: Cells
    clock: int
    counts: npt.NDArray[np.int64]
    seconds: float = 0.0


class Mixture(NamedTuple):
    """What all shards take over: cells, how what averaging remembers grows, and the clock."""

    cells: Cells
    scale: float
    clock: int


class Shard:
    """The weights of one shard, and a trainer of them."""

    def __init__(self, weights: _core.Weights, live: Live, batch: int) -> None:
        self.weights, self.live, self.batch = weights, live, batch
        self._counts = np.zeros(6, np.int64)
        self.weights.mark()

    def run(self, examples: Numbers) -> None:
        """Train on these, in this order."""
        self._counts += self.live.run(examples, self.batch, 1)

    def give(self) -> Given:
        """The epoch is over."""
        given = Given(self.weights.changes(), self.weights.clock, self._counts.copy())
        self._counts[:] = 0
        return given

    def take(self, mixture: Mixture) -> None:
        """The next epoch starts from what all have made of the last."""
        self.weights.adopt(*mixture)
        self.weights.mark()


def split(order: Numbers, kept: Sequence[int], shards: int) -> list[Numbers]:
    """The examples of each shard, in the order of the epoch; an example's shard is told by its place."""
    of = np.asarray(kept, np.int64)[order] % shards
    return [order[of == shard] for shard in range(shards)]


def shares(given: Sequence[Given], mixing: str) -> list[float]:
    """How much each shard counts: µ of the paper, uniform or k_i / k, k being updates."""
    errors = [int(each.counts[3]) for each in given]
    if mixing == "errors" and sum(errors) > 0:
        return [k / sum(errors) for k in errors]
    return [1.0 / len(given)] * len(given)


def mix(weights: _core.Weights, given: Sequence[Given], mixing: str) -> Mixture:
    """Mix what the shards give into the common weights."""
    return Mixture(
        *weights.mix([each.cells for each in given], [each.clock for each in given], shares(given, mixing))
    )


class Mixing:
    """The schedule on one machine: shards run in threads, as many at a time as are given."""

    def __init__(
        self, learning: Learning, corpus: Corpus, threads: int = 1, watch: Watch | None = None
    ) -> None:
        self.learning, self.corpus, self.threads, self.watch = learning, corpus, threads, watch
        self._shards: list[Shard] = []

    @property
    def examples(self) -> int:
        """How many examples there are in all shards."""
        return self.corpus.sentences

    @property
    def tokens(self) -> int:
        """How many tokens they have."""
        return self.corpus.tokens

    def close(self) -> None:
        """Nothing is held."""

    def epoch(self, standing: Standing, tell: Callable[[bool], None]) -> None:
        """One round; where it is interrupted, it starts again from the common weights."""
        recipe = self.learning.recipe
        wall, cpu = time.perf_counter(), time.process_time()
        self._start()
        dealt = split(standing.order, self.learning.kept, recipe.shards)
        busy = np.zeros(recipe.shards)
        done = np.zeros(recipe.shards, np.int64)
        chunk = max(1, CHUNK // recipe.batch) * recipe.batch

        def train(number: int) -> None:
            began = time.perf_counter()
            for start in range(0, len(dealt[number]), chunk):
                if stop:
                    return
                self._shards[number].run(dealt[number][start : start + chunk])
                done[number] = min(start + chunk, len(dealt[number]))
            busy[number] = time.perf_counter() - began

        stop: list[bool] = []
        hands = min(self.threads, recipe.shards)
        with ThreadPoolExecutor(hands) as pool:
            try:
                waiting = [pool.submit(train, number) for number in range(recipe.shards)]
                for future in waiting:
                    while not _is_over(future):
                        standing.done = int(done.sum())
                        tell(False)
                        self._show(done, dealt)
                    future.result()
            except BaseException:
                stop.append(True)
                self._shards = []
                raise
        ended = time.perf_counter()
        given = [shard.give() for shard in self._shards]
        mixture = mix(self.learning.weights, given, recipe.mixing)
        for shard in self._shards:
            shard.take(mixture)
        standing.counts += sum(each.counts for each in given)
        standing.done = len(standing.order)
        standing.seconds += time.perf_counter() - wall
        standing.cpu_seconds += time.process_time() - cpu
        standing.waited_seconds += hands * (ended - wall) - float(busy.sum())
        tell(False)
        self._show(done, dealt)

    def _start(self) -> None:
        if self._shards:
            return
        for _ in range(self.learning.recipe.shards):
            weights = self.learning.weights.copy()
            live = self.learning.learner(self.corpus, weights)
            self._shards.append(Shard(weights, live, self.learning.recipe.batch))

    def _show(self, done: npt.NDArray[np.int64], dealt: Sequence[Numbers]) -> None:
        if self.watch is not None:
            self.watch(
                [Worker(f"shard {i + 1}", int(n), len(of)) for i, (n, of) in enumerate(zip(done, dealt))]
            )


def _is_over(future: Any) -> bool:
    """Wait a little for it."""
    try:
        future.exception(timeout=0.2)
    except TimeoutError:
        return False
    return True
