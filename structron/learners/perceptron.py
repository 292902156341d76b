"""The structured perceptron (Collins 2002), plain or averaged, by name.

Its definition is in `structron.reference.learners`, the engine's twin in
``core/learners/perceptron.hpp``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Self

from structron import _core, reference
from structron.errors import SettingError
from structron.learners.options import Options, is_number, written


@dataclass(frozen=True)
class Perceptron:
    """Move by the violation's own difference.

    Parameters
    ----------
    averaged
        Predict with the mean of all weight vectors.
    margin
        Cost-augmented search while training: gold must be ahead by so much for every wrong action. 0 is the
        algorithm as published.
    step
        How much of the difference is moved by: matters where training starts from weights that are not zero.
    """

    averaged: bool = True
    margin: float = 0.0
    step: float = 1.0

    constraints: ClassVar[int] = 1
    exchanges: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_margin(self.margin)
        if not is_number(self.step) or not 0 < self.step < math.inf:
            raise SettingError(f"step = {self.step!r} is not possible; give a number above 0")

    def engine(self) -> _core.Learner:
        """The engine's twin."""
        return _core.Perceptron(self.margin, self.step)

    def definition(self) -> reference.Perceptron:
        """The definition."""
        return reference.Perceptron(self.margin, self.step)

    @classmethod
    def from_options(cls, options: Options) -> Self:
        """From what stands after ``perceptron:``."""
        made = cls(not options.flag("plain"), options.number("margin", 0.0), options.number("step", 1.0))
        options.end("plain, margin=20 or step=0.1")
        return made

    def __str__(self) -> str:
        options = [] if self.averaged else ["plain"]
        if self.margin:
            options.append(f"margin={written(self.margin)}")
        if self.step != 1:
            options.append(f"step={written(self.step)}")
        return ":".join(["perceptron", ",".join(options)]) if options else "perceptron"


def check_margin(margin: float) -> None:
    """Refuse a margin that is not possible."""
    if not is_number(margin) or not 0 <= margin < 1e6:
        raise SettingError(f"margin {margin!r} is not possible; give a number from 0 to a million")
