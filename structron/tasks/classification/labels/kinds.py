"""Kinds of labels: texts, numbers or truth values, and tables of many labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from structron.errors import ModelError

KINDS = {"U": "text", "i": "int", "u": "int", "f": "float", "b": "bool"}


@dataclass(frozen=True)
class LabelKind:
    """The form in which labels are given.

    Attributes
    ----------
    kind
        ``text``, ``int``, ``float`` or ``bool``.
    indicator
        True if many labels are given as a table of zeros and ones, with a column for each.
    """

    kind: str = "text"
    indicator: bool = False

    def values(self, labels: Sequence[str]) -> npt.NDArray[Any]:
        """Return labels in this form."""
        if self.kind == "int":
            return np.array([int(label) for label in labels])
        if self.kind == "float":
            return np.array([float(label) for label in labels])
        if self.kind == "bool":
            return np.array([label == "True" for label in labels])
        return np.array(list(labels))

    def check(self, labels: Sequence[str], where: str, *, many: bool) -> None:
        """Refuse labels of a model file that do not have this form."""
        try:
            given = [str(label) for label in self.values(labels).tolist()]
        except (ValueError, OverflowError):
            given = None
        if self.indicator:
            fits = many and self.kind == "int" and list(labels) == [str(i) for i in range(len(labels))]
        else:
            fits = self.kind == "text" or (given == list(labels) and not many)
        if not fits:
            raise ModelError(f"{where}: the labels are not of the kind that the model names; train it again")


@dataclass(frozen=True)
class Labels:
    """Gold: the labels of each input as texts, all labels in order, and the form in which they were given."""

    ys: list[list[str]]
    found: list[str]
    kind: LabelKind
