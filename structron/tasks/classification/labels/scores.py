"""Scores of predicted labels: one number for all, and a judgement for each input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structron.errors import DataError
from structron.fit.data.examples import Examples
from structron.metrics import Judgement, judge_labels


def share_right(gold: Sequence[Sequence[str]], guess: Sequence[str | Sequence[str]]) -> float:
    """Return the share of inputs whose labels are exactly right."""
    if not gold:
        raise DataError("there is nothing to score; give at least one labelled input")
    return sum(sorted(a) == sorted(_listed(b)) for a, b in zip(gold, guess)) / len(gold)


def all_judged(examples: Examples[Any], found: Sequence[str | Sequence[str]]) -> list[Judgement]:
    """Pair gold and guess of each input."""
    judged = []
    for i, (x, gold, guess) in enumerate(zip(examples.xs, examples.ys, found)):
        text = x if isinstance(x, str) else " ".join(map(str, x))
        judged.append(judge_labels(examples.place(i), text, gold, _listed(guess)))
    return judged


def _listed(labels: str | Sequence[str]) -> list[str]:
    return [labels] if isinstance(labels, str) else list(labels)
