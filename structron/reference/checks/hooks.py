"""The required and optional methods of learners, searches, spaces and oracles.

Where an optional one is missing, the default of the table is used. `check_names` refuses a name that is
close to one of the table, since it is a typo and would be ignored silently.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from structron.errors import SettingError, StructronError, TaskError

# The similarity that counts as a typo: `los` and `loss`; not `losses` and `loss`, nor `lost` and `loss`.
_NEARLY = 0.82


class Hooks(NamedTuple):
    """The methods required and allowed of one kind of object.

    Attributes
    ----------
    what
        Its name in messages.
    needed
        The names it must have.
    optional
        The names it may have, each with what holds if it has not.
    error
        The error for a wrong name.
    """

    what: str
    needed: tuple[str, ...]
    optional: Mapping[str, Any]
    error: type[StructronError]

    def of(self, thing: Any, name: str) -> Any:
        """Return the attribute of `thing` with an optional name."""
        return getattr(thing, name, self.optional[name])

    def check_names(self, thing: Any) -> None:
        """Refuse a thing that lacks a name it needs, or has one that is nearly right."""
        known = (*self.needed, *self.optional)
        has = {name for name in dir(thing) if not name.startswith("_")}
        for name in sorted(has - set(known)):
            meant = next(iter(difflib.get_close_matches(name, known, 1, _NEARLY)), None)
            if meant is not None and meant not in has:
                raise self.error(
                    f"{self.what} {type(thing).__name__}: {name!r} is never used, {meant!r} is; "
                    f"rename it, or write _{name} if it is your own"
                )
        missing = next((name for name in self.needed if name not in has), None)
        if missing is not None:
            raise self.error(f"{self.what} {type(thing).__name__}: there is no {missing!r}; it needs one")


LEARNER = Hooks(
    "learner",
    ("change",),
    {
        "margin": 0.0,
        "constraints": 1,
        "close_calls": False,
        "substructures": None,
        "accepts": None,
        "excess": None,
        "excesses": None,
        "grown": None,
        "sums": False,
    },
    SettingError,
)
ARRAY_LEARNER = Hooks(
    "learner",
    ("move",),
    {"margin": 0.0, "constraints": 1, "close_calls": False, "averaged": True},
    SettingError,
)
SEARCH = Hooks(
    "search",
    ("width", "merge"),
    {
        "within": math.inf,
        "kind": "beam",
        "in_order": False,
        "run": None,
        "keep": None,
        "keeper": None,
    },
    SettingError,
)
SPACE = Hooks(
    "space",
    ("initial", "actions", "advance", "features", "merge_key", "step", "is_final"),
    {
        "loss": None,
        "mixed": None,
        "decisions": None,
        "future": None,
        "outlook": None,
        "is_fixed": None,
        "bin_class": None,
    },
    TaskError,
)
ORACLE = Hooks(
    "oracle", ("allows",), {"merge_key": None, "right": None, "exhaustive": False, "aim": None}, TaskError
)
FOREST = Hooks(
    "forest",
    ("nodes", "group", "edges", "join", "features", "merge_key"),
    {
        "loss": None,
        "mixed": None,
        "decisions": None,
        "span": None,
        "is_fixed": None,
        "is_compared": None,
        "patience": None,
    },
    TaskError,
)
HEADS = Hooks(
    "space",
    ("tokens", "labels", "single_root", "is_first_order", "possible", "uses", "features"),
    {"loss": None, "mixed": None, "decisions": None, "agreeing": None, "relations": None, "has_chart": True},
    TaskError,
)
FOREST_ORACLE = Hooks(
    "oracle", ("allows",), {"merge_key": None, "right": None, "exhaustive": False}, TaskError
)
