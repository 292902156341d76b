"""Confidence: margins between the best outputs of a model, and how often they are right on held-out data."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from structron.errors import ModelError, SettingError
from structron.metrics import Judgement
from structron.metrics.calibration import Sigmoid


@dataclass(frozen=True)
class Margins:
    """The margins of one input: how far its best output is ahead.

    Attributes
    ----------
    whole
        Of the best other output; infinite if there is none, 0 if a wider search finds a better one.
    parts
        For each part (a word's tag, a word's head) of the best output that decides it otherwise; where all
        outputs agree, of the worst that was kept, which is less than it may be.
    """

    whole: float
    parts: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Return the mean of the parts on a logarithmic scale, which compares short and long inputs."""
        logs = [math.log1p(min(each, 1e6)) for each in self.parts]
        return sum(logs) / len(logs) if logs else math.inf


@dataclass(frozen=True)
class Confidence:
    """The probability that an output is right: all of it, and each of its parts."""

    whole: float
    parts: tuple[float, ...]


@dataclass(frozen=True)
class Calibration:
    """A map from margins to probabilities, learned on held-out data, for parts and for whole outputs."""

    parts: Sigmoid
    whole: Sigmoid

    def confidence(self, margins: Margins) -> Confidence:
        """Margins as probabilities."""
        return Confidence(
            float(self.whole([margins.whole])[0]), tuple(map(float, self.parts(list(margins.parts))))
        )

    def record(self) -> dict[str, list[float]]:
        """For the model's file."""
        return {
            "parts": [self.parts.slope, self.parts.offset],
            "whole": [self.whole.slope, self.whole.offset],
        }

    @classmethod
    def of_model(cls, about: Mapping[str, Any]) -> Calibration:
        """Read the calibration from a model's file; refuse a model without one."""
        found = about.get("confidence")
        if found is None:
            raise SettingError(
                "the model was never calibrated, so that its margins are not probabilities; "
                "calibrate it on held-out data first"
            )
        numbers = [*found["parts"], *found["whole"]]  # lists of numbers, as `check_about` has seen
        if len(found["parts"]) != 2 or len(found["whole"]) != 2 or not all(map(math.isfinite, numbers)):
            raise ModelError("the model's calibration is not as structron writes it; calibrate it again")
        return cls(Sigmoid(*found["parts"]), Sigmoid(*found["whole"]))


def calibrated(margins: Sequence[Margins], judged: Sequence[Judgement]) -> Calibration:
    """Fit probabilities to the margins of outputs that were judged right or wrong."""
    parts, right = parts_of(margins, judged)
    whole = [each.whole for each in margins if each.parts]
    exact = [one.is_right for one, each in zip(judged, margins) if each.parts]
    return Calibration(Sigmoid.fit(parts, right), Sigmoid.fit(whole, exact))


def parts_of(margins: Sequence[Margins], judged: Sequence[Judgement]) -> tuple[list[float], list[bool]]:
    """All parts with their margins, and whether they are right; an output may be one part."""
    parts: list[float] = []
    right: list[bool] = []
    for each, one in zip(margins, judged, strict=True):
        parts += each.parts
        right += one.right if len(one.right) == len(each.parts) > 1 else [one.is_right] * len(each.parts)
    return parts, right


def margins_of(guess: Sequence[Hashable], best: Sequence[tuple[Sequence[Hashable], float]]) -> Margins:
    """The margins of an output over others, which come as decisions with their score, best first.

    An output that is not among them is as good as the last. Where another one is better the margin is 0.
    """
    same = [score for decisions, score in best if list(decisions) == list(guess)]
    score = same[0] if same else best[-1][1] if best else 0.0
    others = [(decisions, other) for decisions, other in best if list(decisions) != list(guess)]
    if not others:
        return Margins(math.inf, (math.inf,) * len(guess))
    parts = [score - others[-1][1]] * len(guess)
    for i, decided in enumerate(guess):
        rival = next((other for own, other in others if len(own) <= i or own[i] != decided), None)
        if rival is not None:
            parts[i] = score - rival
    return Margins(max(0.0, score - others[0][1]), tuple(max(0.0, each) for each in parts))
