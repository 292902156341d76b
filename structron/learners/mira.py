"""MIRA and the passive-aggressive update by name.

The definition is in `structron.reference.learners.mira`, the engine's twin in ``core/learn/mira.hpp``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Self

from structron import _core, reference
from structron.errors import SettingError
from structron.learners.options import Options, is_number, written


@dataclass(frozen=True)
class Mira:
    """Make the least change that puts gold ahead of each of the k best guesses by its loss.

    Parameters
    ----------
    k
        How many guesses are constraints, of those that search has; with 1 this is the passive-aggressive
        update.
    C
        A cap on every step, for data that are not separable; infinite for none.
    augmented
        Cost-augmented search: the constraints are those that are violated most.
    averaged
        Predict with the mean of all weight vectors.
    squared
        C is no cap but the price of the square of what is still lacking: PA-II, where a cap is PA-I.
    """

    k: int = 1
    C: float = math.inf
    augmented: bool = False
    averaged: bool = True
    squared: bool = False

    exchanges: ClassVar[bool] = False
    is_gradient: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or not 1 <= self.k <= 1000:
            raise SettingError(f"{self.k!r} guesses is not possible; give a whole number from 1 to 1000")
        if not is_number(self.C) or not self.C > 0:
            raise SettingError(f"C = {self.C!r} is not possible; give a number above 0, or none for no cap")
        if self.squared and math.inf <= self.C:
            raise SettingError("squared needs a price; give C=1 or another number with it")

    @property
    def constraints(self) -> int:
        """Return the number of guesses it looks at."""
        return self.k

    def engine(self) -> _core.Learner:
        """Return the engine's learner."""
        return _core.Mira(self.k, self.C, self.augmented, self.squared)

    def definition(self) -> reference.Mira:
        """Return the learner of the definition."""
        return reference.Mira(self.k, self.C, self.augmented, self.squared)

    @classmethod
    def from_options(cls, options: Options) -> Self:
        """Parse the text after ``mira:`` or ``pa:``."""
        made = cls(
            options.whole(1),
            options.number("C", math.inf),
            options.flag("augmented"),
            not options.flag("plain"),
            options.flag("squared"),
        )
        options.end("a number of guesses, C=0.1, augmented, squared or plain")
        return made

    def __str__(self) -> str:
        options = [str(self.k)] if self.k > 1 else []
        if math.inf > self.C:
            options.append(f"C={written(self.C)}")
        options += (
            ["augmented"] * self.augmented + ["squared"] * self.squared + ["plain"] * (not self.averaged)
        )
        return ":".join(["mira", ",".join(options)]) if options else "mira"
