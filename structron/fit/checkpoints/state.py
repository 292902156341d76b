"""The state of a training: what a checkpoint holds, and what a schedule moves forward."""

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
    """Everything that training needs to continue from between two examples.

    Attributes
    ----------
    number
        The epoch under way, from 1.
    order
        Its order of the examples; empty if it has not begun.
    done
        How many of them have been seen.
    counts
        What happened so far: examples, steps, errors, updates, invalid, early-stopped.
    seconds, cpu_seconds, waited_seconds
        Time spent on them, and time in which threads stood idle.
    history
        The epochs that are over.
    best
        The rows of the best model so far.
    chance
        The state of the random generator, as numpy gives it.
    round
        By number, the results so far of the shards in a round of mixing that is not over.
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
        """The source of chance, as far along as it was."""
        generator = np.random.default_rng(seed)
        if self.chance:
            generator.bit_generator.state = self.chance
        return generator

    def begin(self, order: npt.NDArray[np.uint32], generator: np.random.Generator) -> None:
        """A new epoch, in this order."""
        self.order, self.done, self.counts, self.round = order, 0, np.zeros(6, np.int64), {}
        self.seconds = self.cpu_seconds = self.waited_seconds = 0.0
        self.chance = dict(generator.bit_generator.state)

    @property
    def best_dev(self) -> float:
        """The best score on the development set so far."""
        return max((e.dev_score for e in self.history if e.dev_score is not None), default=-np.inf)

    def end(self, epoch: Epoch, rows: Rows) -> None:
        """The epoch is over."""
        self.history.append(epoch)
        if epoch.best:
            self.best = rows
        self.number, self.done, self.order = self.number + 1, 0, np.empty(0, np.uint32)
        self.round = {}
