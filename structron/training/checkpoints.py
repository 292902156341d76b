"""Checkpoints: training that was killed goes on from its last one and ends with the same bytes.

A checkpoint is an archive like a model, written beside and renamed, so there is always a whole one. It holds
the weights with all that their average needs, and where training stands: the epoch, its order, how far it is,
the figures of the epochs before, the best model, the generator of chance, and within a round of mixing what
each shard has changed so far.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.data.archive import read_archive, write_archive
from structron.data.whole import remove_parts
from structron.errors import ModelError, SettingError
from structron.tasks.task import Rows
from structron.training.epoch import Epoch
from structron.training.shards import Given

KIND = "checkpoint"


@dataclass
class Standing:
    """Where training stands between two examples.

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
        The state of the random generator, as numpy tells it.
    round
        What shards, by their numbers, have made of a round of mixing that is not over.
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
    chance: dict[str, Any] = field(default_factory=dict)
    round: dict[int, Given] = field(default_factory=dict)

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


class Checkpoint:
    """A file that training is written to at every epoch, and within epochs every so many minutes.

    Parameters
    ----------
    path
        The file.
    minutes
        How often within an epoch; more than 0.
    on_fault
        Told once, in one sentence, if it cannot be written: training goes on all the same.
    """

    def __init__(
        self, path: str | Path, minutes: float = 5.0, on_fault: Callable[[str], object] = warnings.warn
    ) -> None:
        number = isinstance(minutes, int | float) and not isinstance(minutes, bool)
        if not number or not 0 < minutes < 1e6:
            raise SettingError(f"minutes = {minutes!r} is not possible; give a number greater than 0")
        self.path, self.minutes, self.on_fault = Path(path), float(minutes), on_fault
        self._written = time.monotonic()
        self._failed = False

    @property
    def is_due(self) -> bool:
        """Whether the last one is old."""
        return time.monotonic() - self._written >= 60 * self.minutes

    def write(self, weights: _core.Weights, standing: Standing, origin: Mapping[str, Any]) -> None:
        """Everything, atomically; `origin` is what the training is made of."""
        names = ("number", "done", "seconds", "cpu_seconds", "waited_seconds", "chance")
        header = {name: getattr(standing, name) for name in names} | {
            "kind": KIND,
            "clock": weights.clock,
            "origin": dict(origin),
            "history": [asdict(epoch) for epoch in standing.history],
            "round": {str(n): [given.clock, given.seconds] for n, given in standing.round.items()},
        }
        arrays: dict[str, npt.NDArray[Any]] = dict(zip(_STATE, weights.state()))
        arrays |= {"order": standing.order, "counts": standing.counts}
        if standing.best is not None:
            arrays |= {f"best.{name}": array for name, array in standing.best._asdict().items()}
        for n, given in standing.round.items():
            arrays |= {f"shard.{n}.{name}": array for name, array in zip(_STATE, given.cells)}
            arrays[f"shard.{n}.counts"] = given.counts
        try:
            write_archive(self.path, header, arrays)
        except ModelError as error:
            # A full disk is no reason to lose what has been learned; it may have room the next time.
            if not self._failed:
                self._failed = True
                what = str(error).partition(";")[0]
                self.on_fault(f"{what}; training goes on, but cannot be resumed from here")
        self._written = time.monotonic()

    def read(self, weights: _core.Weights, origin: Mapping[str, Any]) -> Standing | None:
        """Put the weights back and tell where training stood; None if there is no checkpoint.

        One of other settings or of other data is refused: going on from it would give a model of neither.
        Only the number of epochs may be another: more of them are a continuation.
        """
        if not self.path.exists():
            return None
        header, arrays = read_archive(self.path)
        if header.get("kind") != KIND:
            raise ModelError(f"{self.path}: this is no checkpoint; give another name to it or to the model")
        if differing := differences(header.get("origin"), origin):
            raise SettingError(
                f"{self.path}: {', and '.join(differing)}; use the same, or start again (--restart)"
            )
        try:
            key, action, weight, past = (np.array(arrays[name]) for name in _STATE)
            weights.restore(key, action, weight, past, int(header["clock"]))
            best = Rows(*(np.array(arrays[f"best.{name}"]) for name in Rows._fields))
        except KeyError as error:
            if "best." not in str(error):
                raise ModelError(f"{self.path}: the checkpoint has no {error}; remove it") from None
            best = None
        except (TypeError, ValueError) as error:
            raise ModelError(f"{self.path}: the checkpoint cannot be used ({error}); remove it") from None
        standing = _standing(self.path, header, arrays, best)
        if (done := len(standing.history)) > origin["settings"]["epochs"]:
            raise SettingError(f"{self.path}: {done} epochs are done already; ask for {done} or more")
        if any(given.cells[1].max(initial=0) >= weights.actions for given in standing.round.values()):
            raise ModelError(f"{self.path}: the checkpoint cannot be used (no such action); remove it")
        return standing

    def remove(self) -> None:
        """Training is over; what a kill left half-written goes too."""
        remove_parts(self.path)
        self.path.unlink(missing_ok=True)


_STATE = ("key", "action", "weight", "past")


def differences(then: Any, now: Mapping[str, Any]) -> list[str]:
    """In what a checkpoint's training differs from this one, in words; but for the number of epochs."""
    if not isinstance(then, dict) or not isinstance(then.get("settings"), dict):
        return ["the checkpoint was made by another version of structron"]
    found = []
    for name, value in now["settings"].items():
        was = then["settings"].get(name)
        if name != "epochs" and was != value:
            found.append(f"{name} is {_told(value)}, the checkpoint was made with {_told(was)}")
    for what, value in now.items():
        if what != "settings" and then.get(what) != value:
            found.append(f"the checkpoint was made with other {what}")
    return found


def _told(value: Any) -> str:
    return f"a list of {len(value)}" if isinstance(value, list) and len(value) > 3 else str(value)


def _standing(
    path: Path, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]], best: Rows | None
) -> Standing:
    try:
        names = {each.name for each in fields(Epoch)}
        return Standing(
            int(header["number"]),
            np.array(arrays["order"], np.uint32),
            int(header["done"]),
            np.array(arrays["counts"], np.int64),
            float(header["seconds"]),
            float(header["cpu_seconds"]),
            float(header["waited_seconds"]),
            [Epoch(**{name: each[name] for name in names}) for each in header["history"]],
            best,
            dict(header["chance"]),
            {
                int(n): _given(arrays, f"shard.{n}.", int(clock), float(seconds))
                for n, (clock, seconds) in header.get("round", {}).items()
            },
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path}: the checkpoint cannot be used ({error}); remove it") from None


def _given(arrays: Mapping[str, npt.NDArray[Any]], name: str, clock: int, seconds: float) -> Given:
    kinds = (np.uint64, np.uint16, np.float32, np.float64)
    key, action, weight, past = (np.array(arrays[name + part], kind) for part, kind in zip(_STATE, kinds))
    counts = np.array(arrays[name + "counts"], np.int64)
    if {len(action), len(weight), len(past)} != {len(key)} or counts.shape != (6,) or clock < 1:
        raise ValueError(f"{name}* do not fit together")
    return Given((key, action, weight, past), clock, counts, seconds)
