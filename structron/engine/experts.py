"""Experts: finished models whose scores are added to those of another model.

They are part of its task, as an inventory or a pruner is, and stand in the same file.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar

from structron.engine.rows import Arrays, Rows, narrowed, stored_rows, typed
from structron.errors import ModelError, SettingError
from structron.search import Search, parse_search
from structron.task import Task

if TYPE_CHECKING:
    import numpy.typing as npt

TaskT = TypeVar("TaskT", bound=Task)
GREATEST = sys.float_info.max  # a weight is finite


class Part(NamedTuple):
    """An expert by its name, with its weight."""

    name: str
    weight: float

    def __str__(self) -> str:
        return f"{self.name}:{self.weight:g}"


def parse_parts(text: object, weights: Mapping[str, float], example: str) -> tuple[Part, ...]:
    """Read ``none``, or names as in ``graph+backward:0.2``.

    Parameters
    ----------
    weights
        By the name of an expert, how much it counts if nothing is said.
    example
        How to write it, for messages.
    """
    if text is None or text == "none":
        return ()
    parts = []
    for word in text.split("+") if isinstance(text, str) else [""]:
        found = re.fullmatch(r"([a-z]+)(?::([0-9]*\.?[0-9]+))?", word)
        if found is None or found[1] not in weights:
            raise SettingError(f"combine {text!r} is not known; use none, or {example}")
        parts.append(Part(found[1], weights[found[1]] if found[2] is None else float(found[2])))
    if len({part.name for part in parts}) < len(parts):
        raise SettingError(f"combine {text}: name each expert once")
    return tuple(parts)


@dataclass(frozen=True, eq=False)
class Expert(Generic[TaskT]):
    """A finished model with the same outputs as the model that it belongs to.

    Parameters
    ----------
    name
        Its name in settings and files.
    weight
        The factor of its scores.
    task, rows
        Its task, and its weights.
    search
        How it searches where it is asked.
    """

    name: str
    weight: float
    task: TaskT
    rows: Rows
    search: str

    def __eq__(self, other: object) -> bool:
        import numpy as np

        return (
            isinstance(other, Expert)
            and (self.name, self.weight, self.search) == (other.name, other.weight, other.search)
            and self.task == other.task
            and all(np.array_equal(getattr(self.rows, n), getattr(other.rows, n)) for n in Rows._fields)
        )

    def __hash__(self) -> int:
        return hash((self.name, self.weight, len(self.rows.keys)))

    def header(self) -> dict[str, Any]:
        """Return its plain data."""
        return {"name": self.name, "weight": self.weight, "search": self.search, "task": self.task.header()}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return its other data as arrays of a model file, under its name."""
        import numpy as np

        rows = self.rows.arrays()
        own = self.task.arrays() | {
            "keys": rows.keys,
            "lengths": narrowed(np.diff(rows.offsets), np.uint8, np.uint16),
            "columns": narrowed(rows.columns, np.uint8, np.uint16),
            "weights": narrowed(rows.weights, np.float16),
        }
        return {f"{self.name}_{array}": values for array, values in own.items()}

    @classmethod
    def fits(cls, name: str, search: Search, task: Mapping[str, Any]) -> bool:
        """Return True if a file may have an expert with this name, search and task."""
        return True

    @classmethod
    def restore(
        cls, header: object, arrays: Arrays, restore: Callable[[Mapping[str, Any], Arrays], TaskT]
    ) -> Self:
        """Read the expert of a model file.

        Parameters
        ----------
        restore
            How its task is made.
        """
        if not isinstance(header, dict):
            raise ModelError("one of its experts is not whole")
        name, weight = typed(header, "name", str), typed(header, "weight", float)
        search = parse_search(typed(header, "search", str))
        own = {
            array.removeprefix(f"{name}_"): values
            for array, values in arrays.items()
            if array.startswith(f"{name}_")
        }
        rows = stored_rows(own, "columns", GREATEST)
        task = typed(header, "task", dict)
        is_whole = (
            math.isfinite(weight)
            and len(rows.columns) == len(rows.weights)
            and not task.get("experts")
            and cls.fits(name, search, task)
        )
        if not is_whole:
            raise ModelError("one of its experts is not whole")
        return cls(name, weight, restore(task, own), rows, str(search))
