"""The structured perceptron (Collins 2002), plain or averaged, by name.

Its definition is in `structron.reference.learners.learners`, the engine's twin in
``core/learn/perceptron.hpp``.
"""

from __future__ import annotations

import math
from typing import ClassVar, Self

from structron import _core, reference
from structron.errors import SettingError
from structron.learners.options import Options, is_number, written
from structron.records import dataclass


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
    guesses
        Move by the mean over so many of the best guesses, as far as they score at least as much as gold: with
        the update laso, LaSO's own (Daumé & Marcu 2005).
    """

    averaged: bool = True
    margin: float = 0.0
    step: float = 1.0
    mean: bool = False
    guesses: int = 1

    exchanges: ClassVar[bool] = False
    is_gradient: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_margin(self.margin)
        if not is_number(self.step) or not 0 < self.step < math.inf:
            raise SettingError(f"step = {self.step!r} is not possible; give a number above 0")
        check_guesses(self.guesses)

    @property
    def constraints(self) -> int:
        """Return the number of guesses it looks at."""
        return self.guesses

    def engine(self) -> _core.Learner:
        """Return the engine's learner."""
        return _core.Perceptron(self.margin, self.step, self.mean, self.guesses)

    def definition(self) -> reference.Perceptron:
        """Return the learner of the definition."""
        return reference.Perceptron(self.margin, self.step, self.mean, self.guesses)

    @classmethod
    def from_options(cls, options: Options) -> Self:
        """Parse the text after ``perceptron:``."""
        averaged, mean = not options.flag("plain"), options.flag("mean")
        margin, step = options.number("margin", 0.0), options.number("step", 1.0)
        made = cls(averaged, margin, step, mean, whole_of(options, "guesses"))
        options.end("plain, mean, margin=20, step=0.1 or guesses=4")
        return made

    def __str__(self) -> str:
        options = [] if self.averaged else ["plain"]
        if self.margin:
            options.append(f"margin={written(self.margin)}")
        if self.step != 1:
            options.append(f"step={written(self.step)}")
        if self.mean:
            options.append("mean")
        if self.guesses > 1:
            options.append(f"guesses={self.guesses}")
        return ":".join(["perceptron", ",".join(options)]) if options else "perceptron"


def check_margin(margin: float) -> None:
    """Refuse a margin that is not possible."""
    if not is_number(margin) or not 0 <= margin < 1e6:
        raise SettingError(f"margin {margin!r} is not possible; give a number from 0 to a million")


def check_guesses(guesses: int) -> None:
    """Refuse a number of guesses that is not possible."""
    if isinstance(guesses, bool) or not isinstance(guesses, int) or not 1 <= guesses <= 1000:
        raise SettingError(f"guesses = {guesses!r} is not possible; give a whole number from 1 to 1000")


def whole_of(options: Options, name: str) -> int:
    """Return the whole number after ``name=``, 1 if it is not given."""
    given = options.number(name, 1)
    if given != int(given):
        raise SettingError(f"{name} = {written(given)} is not possible; give a whole number from 1 to 1000")
    return int(given)
