"""The code of a worker on another machine: a part of the data, and weights that follow the driver's."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from structron.errors import DataError
from structron.fit.cluster.payload import Payload, unpack
from structron.fit.learning import Learning, Packed
from structron.fit.recipe import Recipe
from structron.fit.schedules.shards import Cells, Mixture, Shard, ShardResult
from structron.fit.streaming.store import Item
from structron.io.files.training_files import Files, Position
from structron.model import fault
from structron.task import Corpus, Live, Task, counted

Numbers = npt.NDArray[np.uint32]
Found = tuple[npt.NDArray[Any], ...]  # violations, as the engine sends them
State = tuple[Cells, int]  # weights, and their clock
Change = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32], npt.NDArray[np.float32]]


class BatchViolations(NamedTuple):
    """The violations in a worker's part of a batch, counts of events, and CPU time."""

    arrays: Found
    counts: npt.NDArray[np.int64]
    seconds: float


class WorkerInfo(NamedTuple):
    """The data of a worker and its process; if it has read files itself, also the examples in each."""

    version: str
    pid: int
    included: list[int]
    packed: Packed
    per_file: list[int] | None = None


class OwnFiles(NamedTuple):
    """Files that a worker reads itself, and the function that reads examples from them."""

    files: Files
    read: Callable[[Files, Position], Iterator[Item]]


class Host:
    """One worker; it does not depend on Ray.

    Parameters
    ----------
    number
        The number of the worker.
    choice
        Task and recipe.
    data
        Its part of the examples, or their files.
    features
        The features to keep if rare ones are cut.
    """

    def __init__(
        self,
        number: int,
        choice: tuple[Task, Recipe],
        data: Payload | OwnFiles,
        features: npt.NDArray[np.uint64] | None,
    ) -> None:
        task, recipe = choice
        self.learning = Learning.start(task, recipe)
        self.fault = ""
        self.seconds = 0.0
        self.per_file: list[int] | None = None
        try:
            if isinstance(data, OwnFiles):
                self.corpus = self._read(data)
            else:
                xs, ys = unpack(data)
                self.corpus = self.learning.pack(xs, ys, lambda i: f"@{number}@:{i}")
        except DataError as error:
            # Raised here, it would only be reported as a worker that could not start.
            self.fault = str(error)
            return
        if features is not None:
            self.keep(features)

    def _read(self, own: OwnFiles) -> Corpus:
        """Read the examples of its own files, with the text of one example in memory at a time."""
        corpus = self.learning.task.corpus(self.learning.weights)
        self.per_file = [0] * len(own.files.names)
        for position, x, y, where in own.read(own.files, Position()):
            try:
                corpus.add(x, y)
            except (ValueError, TypeError) as error:
                raise DataError(f"{where()}: {fault(error)}; fix it or leave it out") from None
            self.per_file[position.file] += 1
        self.learning.included = list(range(corpus.sentences))
        return corpus

    @cached_property
    def live(self) -> Live:
        """Create the trainer, once it is known which features are kept."""
        return self.learning.learner(self.corpus)

    @cached_property
    def shard(self) -> Shard:
        """Create the shard of a round of mixing."""
        return Shard(self.learning.weights, self.live, self.learning.recipe.batch)

    def counts(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """Return how often each feature occurs in its part of the data."""
        return counted(self.corpus).counts()

    def keep(self, keys: npt.NDArray[np.uint64]) -> None:
        """Discard all other features."""
        counted(self.corpus).keep(keys)

    def about(self) -> WorkerInfo:
        """Return the description of its data and its process."""
        if self.fault:
            raise DataError(self.fault)
        packed = Packed.of(self.corpus)
        return WorkerInfo(version("structron"), os.getpid(), self.learning.included, packed, self.per_file)

    def run(
        self,
        state: State | None,
        mixture: Mixture | None,
        part: ShardResult | None,
        examples: Numbers,
        wanted: bool,
    ) -> ShardResult | None:
        """Train on a piece of an epoch of mixing; return the result so far if it is wanted.

        The first piece comes with the weights, or with their changes since the last epoch, and perhaps with
        the result of this epoch from before training was interrupted.
        """
        began = time.process_time()
        self._start(state)
        if mixture is not None:
            self.shard.take(mixture)
        if part is not None:
            self.shard.resume(part)
            self.seconds = part.seconds
        self.shard.run(np.ascontiguousarray(examples))
        self.seconds += time.process_time() - began
        return self.shard.so_far()._replace(seconds=self.seconds) if wanted else None

    def finish(self) -> ShardResult:
        """End the epoch and return its changes."""
        seconds, self.seconds = self.seconds, 0.0
        return self.shard.finish()._replace(seconds=seconds)

    def find(
        self, state: State | None, change: Change | None, ticks: int, examples: Numbers, numbers: Numbers
    ) -> BatchViolations:
        """Return the violations of this worker's part of a batch, after the change of the previous batch."""
        began = time.process_time()
        weights = self.learning.weights
        self._start(state)
        if change is not None:
            weights.add_all(*change)
            weights.clock += ticks
        counts, arrays = self.live.find(np.ascontiguousarray(examples), np.ascontiguousarray(numbers))
        return BatchViolations(arrays, np.array(counts, np.int64), time.process_time() - began)

    def _start(self, state: State | None) -> None:
        if state is None:
            return
        self.__dict__.pop("shard", None)  # it records changes of its own weights only
        weights = self.learning.weights
        # Cells that have become zero are not sent.
        key, column, weight, past = weights.state()
        weights.restore(key, column, np.zeros_like(weight), np.zeros_like(past), 0)
        cells, clock = state
        weights.restore(*cells, clock)
