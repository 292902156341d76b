"""Examples between user and engine: on the way in, and back in the shape they came in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from structron.model import Place, numbered


@dataclass(frozen=True)
class Examples:
    """Inputs as the engine takes them, with their outputs where these are known.

    Attributes
    ----------
    xs, ys
        One each; `ys` is empty where only inputs were given.
    place
        Where an example stands, for messages.
    source
        What else the estimator found out about its input.
    """

    xs: Sequence[Any]
    ys: Sequence[Any] = ()
    place: Place = numbered
    source: Any = None

    @property
    def size(self) -> dict[str, int]:
        """How much there is, for the model's file."""
        return {"sentences": len(self.xs), "tokens": sum(map(len, self.xs))}


def as_given(X: Any, found: list[Any]) -> Any:
    """Outputs in the shape of the inputs: a list, or for an array an array of objects."""
    if not hasattr(X, "__array__"):
        return found
    # One by one: lists of one length would become a table.
    array: npt.NDArray[np.object_] = np.empty(len(found), dtype=np.object_)
    for i, output in enumerate(found):
        array[i] = output
    return array
