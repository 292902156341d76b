"""The structured perceptron (Collins 2002), plain or averaged, by name.

Its definition is in `structron.reference.learners.learners`, the engine's twin in
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
    """Update by the difference of the violation.

    Parameters
    ----------
    averaged
        Predict with the mean of all weight vectors.
    margin
        Cost-augmented search while training: gold must be ahead by so much for every wrong action. 0 is the
        algorithm as published.
    step
        How much of the difference is moved by: matters where training starts from weights that are not zero.
    mean
        In a batch, move all features by the mean over all mistakes (Zhao & Huang 2013); otherwise each by the
        mean over the mistakes that it appears in, which is as good as serial training.
    """

    averaged: bool = True
    margin: float = 0.0
    step: float = 1.0
    mean: bool = False

    constraints: ClassVar[int] = 1
    exchanges: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_margin(self.margin)
        if not is_number(self.step) or not 0 < self.step < math.inf:
            raise SettingError(f"step = {self.step!r} is not possible; give a number above 0")

    def engine(self) -> _core.Learner:
        """Return the engine's learner."""
        return _core.Perceptron(self.margin, self.step, self.mean)

    def definition(self) -> reference.Perceptron:
        """Return the learner of the definition."""
        return reference.Perceptron(self.margin, self.step, self.mean)

    @classmethod
    def from_options(cls, options: Options) -> Self:
        """Parse the text after ``perceptron:``."""
        averaged, mean = not options.flag("plain"), options.flag("mean")
        made = cls(averaged, options.number("margin", 0.0), options.number("step", 1.0), mean)
        options.end("plain, mean, margin=20 or step=0.1")
        return made

    def __str__(self) -> str:
        options = [] if self.averaged else ["plain"]
        if self.margin:
            options.append(f"margin={written(self.margin)}")
        if self.step != 1:
            options.append(f"step={written(self.step)}")
        if self.mean:
            options.append("mean")
        return ":".join(["perceptron", ",".join(options)]) if options else "perceptron"


def check_margin(margin: float) -> None:
    """Refuse a margin that is not possible."""
    if not is_number(margin) or not 0 <= margin < 1e6:
        raise SettingError(f"margin {margin!r} is not possible; give a number from 0 to a million")
