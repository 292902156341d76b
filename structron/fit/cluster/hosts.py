"""What a worker on another machine runs: a part of the data, and weights that follow those of the driver."""

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


class FoundHere(NamedTuple):
    """The violations in a worker's part of a batch, counts of events, and how long it took."""

    arrays: Found
    counts: npt.NDArray[np.int64]
    seconds: float


class About(NamedTuple):
    """What a worker has, and where it is; of files it has read itself, how many examples are in each."""

    version: str
    pid: int
    included: list[int]
    packed: Packed
    per_file: list[int] | None = None


class OwnFiles(NamedTuple):
    """Files that a worker reads itself, and how examples are read from them."""

    files: Files
    read: Callable[[Files, Position], Iterator[Item]]


class Host:
    """One worker; it knows nothing of Ray.

    Parameters
    ----------
    number
        Which worker.
    choice
        What is learned, and how.
    data
        Its part of the examples, or the files they lie in.
    features
        The features that are left, where rare ones are cut.
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
            # Raised from here it would only say that the worker could not start.
            self.fault = str(error)
            return
        if features is not None:
            self.keep(features)

    def _read(self, own: OwnFiles) -> Corpus:
        """The examples of its own files; no more of their text than one is in memory at a time."""
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
        """Return what decodes and learns; made when it is known which features are left."""
        return self.learning.learner(self.corpus)

    @cached_property
    def shard(self) -> Shard:
        """Its weights in a round of mixing, and what changes them."""
        return Shard(self.learning.weights, self.live, self.learning.recipe.batch)

    def counts(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """Return how often each feature is seen in its part of the data."""
        return counted(self.corpus).counts()

    def keep(self, keys: npt.NDArray[np.uint64]) -> None:
        """Discard all other features."""
        counted(self.corpus).keep(keys)

    def about(self) -> About:
        """Return what it has, and where it is."""
        if self.fault:
            raise DataError(self.fault)
        packed = Packed.of(self.corpus)
        return About(version("structron"), os.getpid(), self.learning.included, packed, self.per_file)

    def run(
        self,
        state: State | None,
        mixture: Mixture | None,
        part: ShardResult | None,
        examples: Numbers,
        wanted: bool,
    ) -> ShardResult | None:
        """A piece of an epoch of mixing; the result so far, if that is wanted.

        The first piece comes with the weights, or with what has changed in them since the last epoch, and
        perhaps with the result of this epoch from before training was interrupted.
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
        """The epoch is over: what has changed."""
        seconds, self.seconds = self.seconds, 0.0
        return self.shard.finish()._replace(seconds=seconds)

    def find(
        self, state: State | None, change: Change | None, ticks: int, examples: Numbers, numbers: Numbers
    ) -> FoundHere:
        """The violations of this worker's part of a batch, after the change for the batch before."""
        began = time.process_time()
        weights = self.learning.weights
        self._start(state)
        if change is not None:
            weights.add_all(*change)
            weights.clock += ticks
        counts, arrays = self.live.find(np.ascontiguousarray(examples), np.ascontiguousarray(numbers))
        return FoundHere(arrays, np.array(counts, np.int64), time.process_time() - began)

    def _start(self, state: State | None) -> None:
        if state is None:
            return
        self.__dict__.pop("shard", None)  # which notes changes of the weights that it was made with
        weights = self.learning.weights
        # A cell that has become zero is not among those that come.
        key, column, weight, past = weights.state()
        weights.restore(key, column, np.zeros_like(weight), np.zeros_like(past), 0)
        cells, clock = state
        weights.restore(*cells, clock)
