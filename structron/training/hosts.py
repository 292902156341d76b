"""What a worker on another machine runs: a part of the data, and weights that follow those of the driver."""

from __future__ import annotations

import os
import time
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from structron.errors import DataError
from structron.training.learning import Learning
from structron.training.mixing import Given, Mixture, Shard
from structron.training.parcels import Parcel, unpack

Numbers = npt.NDArray[np.uint32]


class FoundHere(NamedTuple):
    """What a worker has found in its part of a batch, what happened, and how long it took."""

    arrays: tuple[npt.NDArray[Any], ...]
    counts: npt.NDArray[np.int64]
    seconds: float


class Host:
    """One worker; it knows nothing of Ray."""

    def __init__(self, number: int, choice: Any, data: Parcel) -> None:
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
        live = self.learning.learner(self.corpus)
        self.shard = Shard(self.learning.weights, live, recipe.batch)

    def about(self) -> dict[str, Any]:
        """What it has, and where it is."""
        if self.fault:
            raise DataError(self.fault)
        names = ("sentences", "tokens", "unreachable", "lifted")
        return {
            "version": version("structron"),
            "pid": os.getpid(),
            "kept": self.learning.kept,
            "packed": {name: getattr(self.corpus, name) for name in names if hasattr(self.corpus, name)},
        }

    def run(self, state: Any, mixture: Mixture | None, examples: Numbers) -> None:
        """A piece of an epoch of mixing; the first comes with the weights, or with what has changed."""
        began = time.process_time()
        self._start(state)
        if mixture is not None:
            self.shard.take(mixture)
        self.shard.run(np.ascontiguousarray(examples))
        self.seconds += time.process_time() - began

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
        counts, arrays = self.shard.live.find(np.ascontiguousarray(examples), np.ascontiguousarray(numbers))
        return FoundHere(arrays, np.array(counts, np.int64), time.process_time() - began)

    def _start(self, state: Any) -> None:
        if state is not None:
            (key, action, weight, past), clock = state
            self.learning.weights.restore(key, action, weight, past, clock)
            self.learning.weights.mark()
