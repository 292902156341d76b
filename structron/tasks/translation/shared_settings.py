"""Settings that translation by phrases and by rules with gaps share: what is possible, and in a header."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from structron.engine.rows import typed
from structron.errors import ModelError, SettingError

UNREACHABLE = ("skip", "prefix")

# What a header says of them beside lists.
SETTINGS: Mapping[str, type] = {
    "scale": float,
    "frozen_dense": bool,
    "bits": int,
    "unreachable": str,
    "cap": int,
    "least": int,
}


class Settings(Protocol):
    """The settings of both systems."""

    @property
    def dense(self) -> int: ...
    @property
    def bits(self) -> int: ...
    @property
    def unreachable(self) -> str: ...
    @property
    def cap(self) -> int: ...
    @property
    def least(self) -> int: ...
    @property
    def tuned(self) -> tuple[float, ...]: ...


def check_settings(task: Settings) -> None:
    """Refuse what is not possible."""
    if not 0 <= task.bits <= 32:
        raise SettingError(f"bits = {task.bits} is not possible; give a whole number from 0 to 32")
    if task.unreachable not in UNREACHABLE:
        raise SettingError(
            f"unreachable {task.unreachable!r} is not known; use one of {', '.join(UNREACHABLE)}"
        )
    for name in ("cap", "least"):
        if getattr(task, name) < 1:
            raise SettingError(f"{name} = {getattr(task, name)} is not possible; give at least 1")
    if task.tuned and (len(task.tuned) != task.dense or not np.isfinite(task.tuned).all()):
        raise SettingError(f"tuned weights should be {task.dense} numbers, one for each dense feature")


def numbers_of(header: Mapping[str, Any], name: str, kind: type) -> tuple[Any, ...]:
    """A list of numbers in the header of a model file."""
    values: list[Any] = typed(header, name, list)
    if not all(isinstance(value, kind) for value in values):
        raise ModelError(f"its {name} should be numbers")
    return tuple(values)
