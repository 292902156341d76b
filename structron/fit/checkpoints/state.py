"""The state of a training, which a checkpoint contains and a schedule advances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from structron.engine.rows import Rows
from structron.fit.epoch import Epoch
from structron.fit.schedules.shards import ShardResult


@dataclass
class TrainingState:
    """Everything that training needs to continue between two examples.

    Attributes
    ----------
    number
        The current epoch, from 1.
    order
        The order of its examples; empty before it begins.
    done
        The number of examples seen.
    counts
        Counts of events: examples, steps, errors, updates, invalid, early-stopped.
    seconds, cpu_seconds, waited_seconds
        Time spent on them, and idle time of threads.
    history
        The finished epochs.
    best
        The rows of the best model so far.
    chance
        The state of numpy's random generator.
    round
        The results so far of the shards in an unfinished round of mixing, by number.
    place
        The file it came from, for messages.
    """

    number: int = 1
    order: npt.NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    done: int = 0
    counts: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(6, np.int64))
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    waited_seconds: float = 0.0
    history: list[Epoch] = field(default_factory=list)
    best: Rows | None = None
    chance: Mapping[str, Any] = field(default_factory=dict)
    round: dict[int, ShardResult] = field(default_factory=dict)
    place: str = "the checkpoint"

    def generator(self, seed: int) -> np.random.Generator:
        """Return the random generator in its current state."""
        generator = np.random.default_rng(seed)
        if self.chance:
            generator.bit_generator.state = self.chance
        return generator

    def begin(self, order: npt.NDArray[np.uint32], generator: np.random.Generator) -> None:
        """Begin an epoch in this order."""
        self.order, self.done, self.counts, self.round = order, 0, np.zeros(6, np.int64), {}
        self.seconds = self.cpu_seconds = self.waited_seconds = 0.0
        self.chance = dict(generator.bit_generator.state)

    @property
    def best_dev(self) -> float:
        """Return the best score on the development set so far."""
        return max((e.dev_score for e in self.history if e.dev_score is not None), default=-np.inf)

    def end(self, epoch: Epoch, rows: Rows) -> None:
        """End the epoch."""
        self.history.append(epoch)
        if epoch.best:
            self.best = rows
        self.number, self.done, self.order = self.number + 1, 0, np.empty(0, np.uint32)
        self.round = {}
