"""The pruner of a graph parser: templates over arcs and their weights, and how much it leaves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.errors import ModelError, SettingError
from structron.features.parsing.graph import GraphTemplate, order_of, parse_graph_templates
from structron.tasks.task import Arrays, Rows, array_of, narrowed, texts, typed


class Pruning(NamedTuple):
    """How much a pruner leaves; see `structron.tasks.parsing.graph.pruning`.

    Attributes
    ----------
    heads
        At most so many for each word.
    ratio
        From 0 to 1: the nearer to 1, the fewer.
    """

    heads: int
    ratio: float

    def __str__(self) -> str:
        return f"heads:{self.heads}+ratio={self.ratio:g}"


class PrunedArcs(NamedTuple):
    """How many arcs a pruner leaves, how many of them are gold, and how many words there are."""

    arcs: int
    gold: int
    words: int


USUAL = Pruning(10, 0.45)


def parse_pruning(text: object) -> Pruning | None:
    """Read ``heads:10+ratio=0.45``, ``heads:10`` or ``none``.

    >>> parse_pruning("heads:8")
    Pruning(heads=8, ratio=0.45)
    """
    if text is None or text == "none":
        return None
    found = (
        re.fullmatch(r"heads:([0-9]{1,5})(?:\+ratio=([0-9]*\.?[0-9]+))?", text)
        if isinstance(text, str)
        else None
    )
    if found is None:
        raise SettingError(f"pruner {text!r} is not known; use none, or write it like {USUAL}")
    pruning = Pruning(int(found[1]), USUAL.ratio if found[2] is None else float(found[2]))
    if pruning.heads < 1 or pruning.ratio > 1:
        raise SettingError(f"pruner {text}: leave at least one head, and give a ratio from 0 to 1")
    return pruning


@dataclass(frozen=True, eq=False)
class Pruner:
    """A finished model of first order without relations.

    Parameters
    ----------
    templates
        Over arcs alone.
    keys, weights
        Of its features.
    pruning
        How much it leaves.
    """

    templates: tuple[str, ...]
    keys: npt.NDArray[np.uint64]
    weights: npt.NDArray[np.float32]
    pruning: Pruning

    @classmethod
    def of_rows(cls, templates: tuple[str, ...], rows: Rows, pruning: Pruning) -> Pruner:
        """From the weights of a parser with one relation; those of nothing are left out."""
        keys = np.repeat(rows.keys, np.diff(rows.offsets))
        used = rows.columns == 0
        return cls(templates, keys[used], rows.weights[used], pruning)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Pruner)
            and (self.templates, self.pruning) == (other.templates, other.pruning)
            and np.array_equal(self.keys, other.keys)
            and np.array_equal(self.weights, other.weights)
        )

    def __hash__(self) -> int:
        return hash((self.templates, self.pruning, len(self.keys)))

    @cached_property
    def parsed(self) -> list[GraphTemplate]:
        """The templates, read."""
        return parse_graph_templates(self.templates)

    @property
    def engine(self) -> _core.GraphPruner:
        """A new one of the engine's."""
        count = len(self.keys)
        offsets, columns = np.arange(count + 1, dtype=np.uint32), np.zeros(count, np.uint32)
        return _core.GraphPruner(Rows(self.keys, offsets, columns, self.weights), 0, *self.pruning)

    def header(self) -> dict[str, Any]:
        """What of it is plain data."""
        return {"templates": [*self.templates], "heads": self.pruning.heads, "ratio": self.pruning.ratio}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The others, as arrays of a model file."""
        return {"pruner_keys": self.keys, "pruner_weights": narrowed(self.weights, np.float16)}

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Pruner:
        """The pruner of a model file."""
        keys = array_of(arrays, "pruner_keys", np.uint64)
        weights = array_of(arrays, "pruner_weights", np.float32, np.float16)
        heads, ratio = typed(header, "heads", int), typed(header, "ratio", float)
        made = cls(tuple(texts(header, "templates")), keys, weights, Pruning(heads, ratio))
        if len(keys) != len(weights) or not np.isfinite(weights).all() or order_of(made.parsed) > 1:
            raise ModelError("its pruner is not whole")
        return made
