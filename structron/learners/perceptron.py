"""The structured perceptron (Collins 2002), plain or averaged, by name.

Its definition stands in `structron.reference.learners`, the engine's twin in
``core/learners/perceptron.hpp``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from structron import _core
from structron.errors import SettingError

_NUMBER = r"[0-9.]+(?:e[+-]?[0-9]+)?"
_NAME = re.compile(rf"perceptron(?::(?:(plain)(?:,margin=({_NUMBER}))?|margin=({_NUMBER})))?")


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
    """

    averaged: bool = True
    margin: float = 0.0

    def __post_init__(self) -> None:
        number = isinstance(self.margin, int | float) and not isinstance(self.margin, bool)
        if not number or not 0 <= self.margin < 1e6:
            raise SettingError(f"margin {self.margin!r} cannot be; give a number from 0 to a million")

    def engine(self) -> _core.Learner:
        """The engine's twin."""
        return _core.Perceptron(self.margin)

    def __str__(self) -> str:
        margin = int(self.margin) if self.margin == int(self.margin) else float(self.margin)
        options = ([] if self.averaged else ["plain"]) + ([f"margin={margin!r}"] if margin else [])
        return ":".join(["perceptron", ",".join(options)]) if options else "perceptron"


def parse_learner(name: str | Perceptron) -> Perceptron:
    """The learner that `name` names: ``perceptron``, ``perceptron:plain``, ``perceptron:margin=20``.

    Examples
    --------
    >>> parse_learner("perceptron:plain,margin=2"), str(Perceptron(margin=2))
    (Perceptron(averaged=False, margin=2.0), 'perceptron:margin=2')
    """
    if isinstance(name, Perceptron):
        return name
    found = _NAME.fullmatch(name.strip()) if isinstance(name, str) else None
    if found is None:
        raise SettingError(
            f"learner {name!r} is not known; use perceptron, perceptron:plain or perceptron:margin=20"
        )
    margin = found[2] or found[3] or "0"
    try:
        return Perceptron(averaged=found[1] is None, margin=float(margin))
    except ValueError as error:
        why = str(error) if isinstance(error, SettingError) else f"{margin!r} is no number; write margin=20"
        raise SettingError(f"learner {name!r}: {why}") from None
