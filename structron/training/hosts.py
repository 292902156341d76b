"""What a worker on another machine runs: a part of the data, and weights that follow those of the driver."""

from __future__ import annotations

import os
import time
from functools import cached_property
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from structron.errors import DataError
from structron.tasks.task import Live
from structron.training.learning import Learning
from structron.training.parcels import Parcel, unpack
from structron.training.shards import Given, Mixture, Shard

Numbers = npt.NDArray[np.uint32]


class FoundHere(NamedTuple):
    """What a worker has found in its part of a batch, what happened, and how long it took."""

    arrays: tuple[npt.NDArray[Any], ...]
    counts: npt.NDArray[np.int64]
    seconds: float


class Host:
    """One worker; it knows nothing of Ray."""

    def __init__(self, number: int, choice: Any, data: Parcel, kept: npt.NDArray[np.uint64] | None) -> None:
        task, recipe = choice
        self.learning = Learning.start(task, recipe)
        self.fault = ""
        self.seconds = 0.0
        xs, ys = unpack(data)
        try:
            self.corpus: Any = self.learning.pack(xs, ys, lambda i: f"@{number}@:{i}")
        except DataError as error:
            # Raised from here it would only say that the worker could not start.
            self.fault = str(error)
            return
        if kept is not None:
            self.keep(kept)

    @cached_property
    def live(self) -> Live:
        """What decodes and learns; made when it is known which features are left."""
        return self.learning.learner(self.corpus)

    @cached_property
    def shard(self) -> Shard:
        """Its weights in a round of mixing, and what changes them."""
        return Shard(self.learning.weights, self.live, self.learning.recipe.batch)

    def counts(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """How often each feature is seen in its part of the data."""
        found: tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]] = self.corpus.counts()
        return found

    def keep(self, keys: npt.NDArray[np.uint64]) -> None:
        """Let go of all other features."""
        self.corpus.keep(keys)

    def about(self) -> dict[str, Any]:
        """What it has, and where it is."""
        if self.fault:
            raise DataError(self.fault)
        names = ("sentences", "tokens", "unreachable")
        return {
            "version": version("structron"),
            "pid": os.getpid(),
            "kept": self.learning.kept,
            "packed": {name: getattr(self.corpus, name) for name in names if hasattr(self.corpus, name)},
        }

    def run(
        self, state: Any, mixture: Mixture | None, part: Given | None, examples: Numbers, wanted: bool
    ) -> Given | None:
        """A piece of an epoch of mixing; what has changed so far, if that is wanted.

        The first piece comes with the weights, or with what has changed in them since the last epoch, and
        perhaps with what was made of this epoch before training was interrupted.
        """
        began = time.process_time()
        self._start(state)
        if mixture is not None:
            self.shard.take(mixture)
        if part is not None:
            self.shard.go_on(part)
            self.seconds = part.seconds
        self.shard.run(np.ascontiguousarray(examples))
        self.seconds += time.process_time() - began
        return self.shard.so_far()._replace(seconds=self.seconds) if wanted else None

    def give(self) -> Given:
        """The epoch is over: what has changed."""
        seconds, self.seconds = self.seconds, 0.0
        return self.shard.give()._replace(seconds=seconds)

    def find(self, state: Any, change: Any, ticks: int, examples: Numbers, numbers: Numbers) -> FoundHere:
        """The violations of this worker's part of a batch, after the change for the batch before."""
        began = time.process_time()
        weights = self.learning.weights
        self._start(state)
        if ticks:
            weights.add_all(*change)
            weights.clock += ticks
        counts, arrays = self.live.find(np.ascontiguousarray(examples), np.ascontiguousarray(numbers))
        return FoundHere(arrays, np.array(counts, np.int64), time.process_time() - began)

    def _start(self, state: Any) -> None:
        if state is not None:
            (key, column, weight, past), clock = state
            self.learning.weights.restore(key, column, weight, past, clock)
