"""Checkpoints: a killed training continues from its last one and ends with the same bytes.

A checkpoint is an archive like a model, written to another name and renamed, so that there is always a
complete one. It contains the weights with all that their average needs, and the training state: the epoch,
its order, its progress, the figures of earlier epochs, the best model, the random generator, and within a
round of mixing the changes of each shard.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.engine.rows import Arrays, Rows, array_of, narrowed
from structron.errors import ModelError, SettingError
from structron.fit.checkpoints.state import TrainingState
from structron.fit.epoch import Epoch, numbers_of
from structron.fit.schedules.shards import Cells, ShardResult
from structron.io.files.atomic_write import remove_parts
from structron.io.files.step_cache import StepCache
from structron.io.model_file.about import EPOCH, has_shape
from structron.io.model_file.archive import read_archive, write_archive
from structron.model import GREATEST_WEIGHT

KIND = "checkpoint"

# The settings of a training, and checksums of its data, as plain data.
Origin = Mapping[str, Any]


class Checkpoint:
    """The file of a training's state, written at every epoch, and within epochs every few minutes.

    Parameters
    ----------
    path
        The file.
    minutes
        The interval within an epoch; more than 0.
    on_fault
        Called once with a message if the file cannot be written; training continues.
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
    def exists(self) -> bool:
        """Return True if there is a checkpoint to continue from."""
        return self.path.exists() or self._drafts.exists()

    @property
    def _drafts(self) -> Path:
        return Path(f"{self.path}.drafts")

    def drafts(self, resume: bool) -> StepCache:
        """Return the file beside it, with the steps that were finished before learning began."""
        return StepCache(self._drafts, resume, self.minutes, self.on_fault)

    @property
    def is_due(self) -> bool:
        """Return True if the last checkpoint is old."""
        return time.monotonic() - self._written >= 60 * self.minutes

    def write(
        self,
        weights: _core.Weights,
        state: TrainingState,
        origin: Origin,
        prepared: Mapping[str, Any] | None = None,
    ) -> None:
        """Write everything atomically; see `Preparation` for `origin` and `prepared`."""
        names = ("number", "done", "seconds", "cpu_seconds", "waited_seconds", "chance")
        header = {name: getattr(state, name) for name in names} | {
            "kind": KIND,
            "clock": weights.clock,
            "origin": dict(origin),
            "prepared": dict(prepared or {}),
            "history": [asdict(epoch) for epoch in state.history],
            "round": {str(n): [result.clock, result.seconds] for n, result in state.round.items()},
        }
        arrays = stored_cells(weights.state(), "")
        arrays |= {"order": state.order, "counts": state.counts}
        if state.best is not None:
            arrays |= {f"best.{name}": array for name, array in zip(_BEST, state.best._asdict().values())}
        for n, result in state.round.items():
            arrays |= stored_cells(result.cells, f"shard.{n}.")
            arrays[f"shard.{n}.counts"] = result.counts
        self._put(header, arrays)

    def write_prepared(self, prepared: Mapping[str, Any], origin: Origin) -> None:
        """Write the state of a training whose learning has not begun yet."""
        self._put({"kind": KIND, "origin": dict(origin), "prepared": dict(prepared)}, {})

    def _put(self, header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
        try:
            write_archive(self.path, header, arrays)
        except ModelError as error:
            # A full disk must not end the training; there may be room next time.
            if not self._failed:
                self._failed = True
                what = str(error).partition(";")[0]
                self.on_fault(f"{what}; training continues, but cannot be resumed from here")
        self._written = time.monotonic()

    def read(self, weights: _core.Weights, origin: Origin, examples: int) -> TrainingState | None:
        """Restore the weights and return the training state; None if there is no checkpoint.

        `examples` is the number of training examples. A checkpoint of other settings or data is refused,
        since the result would be a model of neither. Only the number of epochs may differ: more of them are a
        continuation.
        """
        found = self._found(origin)
        if found is None or "number" not in found[0]:
            return None
        header, arrays = found
        try:
            cells = cells_of(arrays, "", weights)
            state = _state_of(header, arrays, weights, examples)
            weights.restore(*cells, _whole(header["clock"], 1))
        except KeyError as error:
            raise ModelError(f"{self.path}: the checkpoint has no {error}; remove it") from None
        except (ArithmeticError, AttributeError, ModelError, TypeError, ValueError) as error:
            raise self.unusable(error) from None
        if (done := len(state.history)) > origin["settings"]["epochs"]:
            raise SettingError(f"{self.path}: {done} epochs are done already; ask for {done} or more")
        state.place = str(self.path)
        return state

    def read_prepared(self, origin: Origin) -> dict[str, Any]:
        """Return the results of steps before the first epoch, as plain data that must still be checked."""
        found = self._found(origin)
        prepared = {} if found is None else found[0].get("prepared", {})
        if not isinstance(prepared, dict):
            raise self.unusable("it says nonsense of what came before the first epoch")
        return prepared

    def unusable(self, why: object) -> ModelError:
        """Return the error about a fault in the file."""
        return ModelError(f"{self.path}: the checkpoint cannot be used ({why}); remove it")

    def _found(self, origin: Origin) -> tuple[Mapping[str, Any], Arrays] | None:
        """Return header and arrays of the file, if there is one and it belongs to this training."""
        if not self.path.exists():
            return None
        header, arrays = read_archive(self.path)
        if header.get("kind") != KIND:
            raise ModelError(f"{self.path}: this is not a checkpoint; rename it or the model")
        if differing := differences(header.get("origin"), origin):
            raise SettingError(
                f"{self.path}: {', and '.join(differing)}; use the same, or start again (--restart)"
            )
        return header, arrays

    def remove(self) -> None:
        """Remove the files when training has finished, including partly written ones."""
        for path in (self.path, self._drafts):
            remove_parts(path)
            path.unlink(missing_ok=True)


class Preparation:
    """Steps before the first epoch, such as tuning, whose results are saved in the checkpoint one by one.

    Parameters
    ----------
    checkpoint
        The file; None saves nothing.
    origin
        The settings and data of the training; a checkpoint of another is refused.
    resume
        Begin with the contents of the file.

    Attributes
    ----------
    known
        The results by name, as plain data; those from a file must still be checked.
    """

    def __init__(
        self,
        checkpoint: Checkpoint | str | Path | None = None,
        origin: Origin | None = None,
        resume: bool = False,
    ) -> None:
        self.file = Checkpoint(checkpoint) if isinstance(checkpoint, str | Path) else checkpoint
        self.origin: Origin = origin or {}
        self.known = self.file.read_prepared(self.origin) if self.file is not None and resume else {}

    def keep(self, name: str, value: object) -> None:
        """Save a result."""
        self.known[name] = value
        if self.file is not None:
            self.file.write_prepared(self.known, self.origin)

    def refuse(self, why: object) -> ModelError:
        """Return the error about an invalid result in the file."""
        assert self.file is not None, "only a file can be wrong"
        return self.file.unusable(why)


class CheckpointWriter:
    """The checkpoint of one training: it reads the state, and writes it when that is due.

    Parameters
    ----------
    checkpoint
        The file.
    weights
        The weights in training.
    origin
        The settings and data of the training; a checkpoint of another is refused.
    prepared
        The results of steps before the first epoch, see `Preparation`.
    """

    def __init__(
        self,
        checkpoint: Checkpoint | str | Path,
        weights: _core.Weights,
        origin: Origin,
        prepared: Mapping[str, Any] | None = None,
    ) -> None:
        self.file = checkpoint if isinstance(checkpoint, Checkpoint) else Checkpoint(checkpoint)
        self.weights, self.origin, self.prepared = weights, origin, prepared

    def read(self, examples: int) -> TrainingState | None:
        """Restore the weights and return the state in the file, if there is one."""
        return self.file.read(self.weights, self.origin, examples)

    @property
    def is_due(self) -> bool:
        """Return True if the last checkpoint is old."""
        return self.file.is_due

    def write(self, state: TrainingState, *, epoch_is_over: bool) -> None:
        """Write the state after every epoch, and within one when that is due."""
        if epoch_is_over or self.is_due:
            self.file.write(self.weights, state, self.origin, self.prepared)


# Columns are called actions in the file, as in its first version.
_STATE = {
    "key": (np.uint64,),
    "action": (np.uint32, np.uint16, np.uint8),
    "weight": (np.float32,),
    "past": (np.float64,),
}
_BEST = {
    "keys": (np.uint64,),
    "offsets": (np.uint32,),
    "actions": (np.uint32, np.uint16),
    "weights": (np.float32,),
    "dense": (np.float32,),
}
_TIMES = dict.fromkeys(("seconds", "cpu_seconds", "waited_seconds"), float)


def differences(then: object, now: Origin) -> list[str]:
    """Describe how a checkpoint's training differs from this one, except for the number of epochs."""
    if not isinstance(then, dict) or not isinstance(then.get("settings"), dict):
        return ["the checkpoint was made by another version of structron"]
    found = []
    for name, value in now["settings"].items():
        was = then["settings"].get(name)
        if name != "epochs" and was != value:
            found.append(f"{name} is {_shown(value)}, the checkpoint was made with {_shown(was)}")
    for what, value in now.items():
        if what != "settings" and then.get(what) != value:
            found.append(f"the checkpoint was made with different {what}")
    return found


def _shown(value: object) -> str:
    return f"a list of {len(value)}" if isinstance(value, list) and len(value) > 3 else str(value)


def _epoch_of(told: Mapping[str, Any]) -> Epoch:
    kept = {each.name: told[each.name] for each in fields(Epoch) if each.name != "notes"}
    return Epoch(**kept, notes=numbers_of(told.get("notes")))


def _state_of(
    header: Mapping[str, Any], arrays: Arrays, weights: _core.Weights, examples: int
) -> TrainingState:
    """Return the training state with every number checked; raise KeyError, ModelError or ValueError."""
    order = array_of(arrays, "order", np.uint32)
    if len(order) not in (0, examples) or order.max(initial=0) >= max(examples, 1):
        raise ValueError("its order is not one of these examples")
    if not has_shape(header, _TIMES | {"history": [EPOCH | _TIMES], "chance": dict, "round": dict}):
        raise ValueError("its header is not as structron writes it")
    best = None
    if "best.keys" in arrays:
        there = {"best.dense": np.zeros(0, np.float32)} | dict(arrays)
        best = Rows(*(array_of(there, f"best.{n}", *kinds).copy() for n, kinds in _BEST.items()))
    state = TrainingState(
        _whole(header["number"], 1),
        order.copy(),
        _whole(header["done"], 0, len(order)),
        _counts(arrays, "counts"),
        header["seconds"],
        header["cpu_seconds"],
        header["waited_seconds"],
        [_epoch_of(epoch) for epoch in header["history"]],
        best,
        header["chance"],
        {
            _whole(int(n), 0): ShardResult(
                cells_of(arrays, f"shard.{n}.", weights),
                _whole(clock, 1),
                _counts(arrays, f"shard.{n}.counts"),
                float(seconds),
            )
            for n, (clock, seconds) in header["round"].items()
        },
    )
    if state.number != len(state.history) + 1 or (best is None) == any(e.best for e in state.history):
        raise ValueError("what it says of its epochs does not fit together")
    state.generator(0)  # refuses a state that is not valid
    return state


def stored_cells(cells: Cells, name: str) -> dict[str, npt.NDArray[Any]]:
    key, column, weight, past = cells
    return dict(
        zip((name + part for part in _STATE), (key, narrowed(column, np.uint8, np.uint16), weight, past))
    )


def cells_of(arrays: Arrays, name: str, weights: _core.Weights) -> Cells:
    key, column, weight, past = (
        array_of(arrays, name + part, *kinds).copy() for part, kinds in _STATE.items()
    )
    if {len(column), len(weight), len(past)} != {len(key)}:
        raise ValueError("its weights do not fit together")
    if (column >= np.where(key == _core.Weights.DENSE, weights.dense, weights.columns)).any():
        raise ValueError("no such column")
    if not (np.abs(weight) <= GREATEST_WEIGHT).all() or not np.isfinite(past).all():
        raise ValueError("a weight is out of range")
    return key, column, weight, past


def _counts(arrays: Arrays, name: str) -> npt.NDArray[np.int64]:
    counts = array_of(arrays, name, np.int64)
    if counts.shape != (6,) or counts.min() < 0:
        raise ValueError(f"its {name} are not valid")
    return counts.copy()


def _whole(value: object, least: int, most: int = 2**62) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{value!r} is not a number from {least} on")
    return value
