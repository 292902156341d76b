"""The structured perceptron (Collins 2002), plain or averaged, by name.

Its definition stands in `structron.reference.learners`; the engine's twin in ``core/learners/perceptron.hpp``.
"""

from __future__ import annotations

from dataclasses import dataclass

from structron.errors import SettingError


@dataclass(frozen=True)
class Perceptron:
    """Move by the violation's own difference; with `averaged`, predict with the mean of all weight vectors."""

    averaged: bool = True

    def __str__(self) -> str:
        return "perceptron" if self.averaged else "perceptron:plain"


def parse_learner(name: str | Perceptron) -> Perceptron:
    """The learner that `name` names: ``perceptron`` or ``perceptron:plain``; `str` undoes it."""
    if isinstance(name, Perceptron):
        return name
    if name == "perceptron":
        return Perceptron()
    if name == "perceptron:plain":
        return Perceptron(averaged=False)
    raise SettingError(f"learner {name!r} is not known; use perceptron or perceptron:plain")
