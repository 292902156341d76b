"""The structured perceptron (Collins 2002), plain or averaged, by name.

Its definition stands in `structron.reference.learners`, the engine's twin in
``core/learners/perceptron.hpp``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from structron.errors import SettingError


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
        if not 0 <= self.margin < 1e6:
            raise SettingError(f"margin {self.margin} cannot be; give a number from 0 to a million")

    def __str__(self) -> str:
        options = ([] if self.averaged else ["plain"]) + ([f"margin={self.margin:g}"] if self.margin else [])
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
    found = re.fullmatch(
        r"perceptron(?::(plain)?(?:(?:^|,|(?<=:))margin=([0-9.]+(?:e[0-9]+)?))?)?", name.strip()
    )
    if found is None or name.strip().endswith((":", ",")):
        raise SettingError(
            f"learner {name!r} is not known; use perceptron, perceptron:plain or perceptron:margin=20"
        )
    try:
        return Perceptron(averaged=found[1] is None, margin=float(found[2] or 0))
    except ValueError:
        raise SettingError(f"learner {name!r}: {found[2]!r} is no number; write margin=20") from None
