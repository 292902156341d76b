"""Experts: finished parsers whose scores are added to those of the parser that they belong to.

Scores of whole trees are added, each times the expert's weight, and the best of the candidates wins. So every
expert must say what it thinks of a tree that another has found: a graph parser adds up the tree's parts, a
parser by transitions follows its static oracle (`structron.tasks.parsing.scoring` is the definition).
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from structron.errors import ModelError, SettingError
from structron.search import parse_search
from structron.tasks.parsing.tree_task import TreeTask
from structron.tasks.task import Arrays, Rows, narrowed, stored_rows, typed

if TYPE_CHECKING:
    import numpy.typing as npt

BACKWARD, EAGER = "backward", "eager"
BY_TRANSITIONS = (EAGER, BACKWARD)
# Chosen on the dev set of EWT, see decision 25.
WEIGHTS = {"graph": 1.1, "arcs": 0.8, EAGER: 0.7, BACKWARD: 0.7}
# On the same set the eight best trees of a graph gave 0.05 to 0.1 LAS more than one; of a backward parser,
# nothing.
OF_A_GRAPH = 8
GREATEST = sys.float_info.max  # a weight is finite


class Part(NamedTuple):
    """An expert by its name, and how much it counts."""

    name: str
    weight: float

    def __str__(self) -> str:
        return f"{self.name}:{self.weight:g}"


def parse_combination(text: object) -> tuple[Part, ...]:
    """Read ``none``, ``graph+backward`` or ``arcs:0.5+backward:0.2``.

    >>> parse_combination("graph+backward:0.2")
    (Part(name='graph', weight=1.1), Part(name='backward', weight=0.2))
    """
    if text is None or text == "none":
        return ()
    parts = []
    for word in text.split("+") if isinstance(text, str) else [""]:
        found = re.fullmatch(r"([a-z]+)(?::([0-9]*\.?[0-9]+))?", word)
        if found is None or found[1] not in WEIGHTS:
            raise SettingError(
                f"combine {text!r} is not known; use none, or one or more of {', '.join(WEIGHTS)} "
                "as in graph+backward, with weights as in graph:0.9+backward:0.7"
            )
        parts.append(Part(found[1], WEIGHTS[found[1]] if found[2] is None else float(found[2])))
    if len({part.name for part in parts}) < len(parts):
        raise SettingError(f"combine {text}: name each expert once")
    return tuple(parts)


@dataclass(frozen=True, eq=False)
class Expert:
    """A finished parser with the same relations as the one that it belongs to.

    Parameters
    ----------
    name
        ``graph``, ``arcs`` (a graph parser of first order), ``eager`` (by arc-eager transitions) or
        ``backward`` (which reads sentences from their ends).
    weight
        What its scores are multiplied with.
    task, rows
        What it does, and its weights.
    search
        The one that it was trained with.
    """

    name: str
    weight: float
    task: TreeTask
    rows: Rows
    search: str

    @property
    def is_backward(self) -> bool:
        """Whether it sees sentences and trees from their ends."""
        return self.name == BACKWARD

    @property
    def candidates(self) -> int:
        """How many of its best trees are looked at."""
        return 1 if self.name in BY_TRANSITIONS else OF_A_GRAPH

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
        """What of it is plain data."""
        return {"name": self.name, "weight": self.weight, "search": self.search, "task": self.task.header()}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The others, as arrays of a model file: under its name."""
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
    def restore(
        cls, header: object, arrays: Arrays, restore: Callable[[Mapping[str, Any], Arrays], TreeTask]
    ) -> Expert:
        """The expert of a model file.

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
            name in WEIGHTS
            and math.isfinite(weight)
            and (
                (search.kind == "beam" and not search.is_exact)
                if name in BY_TRANSITIONS
                else search.kind == "forest"
            )
            and len(rows.columns) == len(rows.weights)
            and not task.get("experts")
            and (task.get("system") == "graph") == (name not in BY_TRANSITIONS)
        )
        if not is_whole:
            raise ModelError("one of its experts is not whole")
        return cls(name, weight, restore(task, own), rows, str(search))
