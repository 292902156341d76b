"""Shards of the data, each trained on separately, and the mixture of their weights.

The result of a shard's epoch depends only on the common weights and its examples in order, and shards are
mixed in the order of their numbers. Only changed cells are exchanged: up from each shard, and down to all.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.errors import ModelError
from structron.fit.learning import run
from structron.task import Live

# Cells of weights: key, action, weight, and the sum for averaging.
Cells = tuple[
    npt.NDArray[np.uint64], npt.NDArray[np.uint32], npt.NDArray[np.float32], npt.NDArray[np.float64]
]
Numbers = npt.NDArray[np.uint32]


class ShardResult(NamedTuple):
    """The result of a shard's epoch so far: cells that changed, its clock, counts of events, CPU time."""

    cells: Cells
    clock: int
    counts: npt.NDArray[np.int64]
    seconds: float = 0.0

    @property
    def done(self) -> int:
        """Return the number of its examples that it has seen."""
        return int(self.counts[0])


class Mixture(NamedTuple):
    """The update that all shards take: cells, the growth of the sums for averaging, and the clock."""

    cells: Cells
    scale: float
    clock: int


class Shard:
    """The weights of one shard, and their trainer."""

    def __init__(self, weights: _core.Weights, live: Live, batch: int) -> None:
        self.weights, self.live, self.batch = weights, live, batch
        self._counts = np.zeros(6, np.int64)
        self._lock = threading.Lock()
        self.weights.mark()

    def run(self, examples: Numbers) -> None:
        """Train on these examples, in this order."""
        with self._lock:
            self._counts += run(self.live, examples, self.batch)

    def so_far(self) -> ShardResult:
        """Return the result of the epoch up to now; other threads may ask while it runs."""
        with self._lock:
            return ShardResult(self.weights.changes(), self.weights.clock, self._counts.copy())

    def finish(self) -> ShardResult:
        """End the epoch and return its result."""
        result = self.so_far()
        self._counts[:] = 0
        return result

    def resume(self, result: ShardResult) -> None:
        """Advance from the common weights to the state of this shard in the epoch."""
        self.weights.restore(*result.cells, result.clock)
        self._counts[:] = result.counts

    def take(self, mixture: Mixture) -> None:
        """Start the next epoch from the mixture of the last."""
        self.weights.adopt(*mixture)
        self.weights.mark()


def split(order: Numbers, places: Sequence[int], shards: int) -> list[Numbers]:
    """Return the examples of each shard, in the order of the epoch.

    An example's shard depends on its position, or on the number of its file if files are dealt.
    """
    of = np.asarray(places, np.int64)[order] % shards
    return [order[of == shard] for shard in range(shards)]


def check_round(round: Mapping[int, ShardResult], dealt: Sequence[Numbers], place: str) -> None:
    """Refuse parts of a round from a checkpoint that do not belong to these shards."""
    if any(n not in range(len(dealt)) or not 0 <= each.done <= len(dealt[n]) for n, each in round.items()):
        raise ModelError(f"{place}: its shards do not fit the data; remove it")


def shares(results: Sequence[ShardResult], mixing: str) -> list[float]:
    """Return the weight of each shard: µ of the paper, uniform or k_i / k, where k counts updates."""
    errors = [int(each.counts[3]) for each in results]
    if mixing == "errors" and sum(errors) > 0:
        return [k / sum(errors) for k in errors]
    return [1.0 / len(results)] * len(results)


def mix(weights: _core.Weights, results: Sequence[ShardResult], mixing: str, threads: int = 1) -> Mixture:
    """Mix the results of the shards into the common weights; no bit depends on the threads."""
    cells, clocks = [each.cells for each in results], [each.clock for each in results]
    return Mixture(*weights.mix(cells, clocks, shares(results, mixing), threads))
