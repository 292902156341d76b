"""Scores of labels for whole inputs: accuracy, and F1 in total and by label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from structron.errors import DataError


class LabelScores(NamedTuple):
    """Scores of labelled inputs.

    Attributes
    ----------
    inputs, labels
        How many there are; of labels those in gold or guess.
    accuracy
        The share of inputs whose labels are all right, and none too many.
    micro_f1, macro_f1
        F1 over all labels together, and the mean of the F1 of each.
    """

    inputs: int
    labels: int
    accuracy: float
    micro_f1: float
    macro_f1: float


def label_scores(gold: Sequence[Sequence[str]], guess: Sequence[Sequence[str]]) -> LabelScores:
    """Compute the scores of guessed labels.

    Examples
    --------
    >>> label_scores([["a"], ["b"], ["b"]], [["a"], ["a"], ["b"]]).micro_f1
    0.6666666666666666
    """
    if len(gold) != len(guess):
        raise DataError(f"{len(gold)} gold inputs but {len(guess)} guessed; score the same inputs")
    if not gold:
        raise DataError("there is nothing to score; check that the file has documents")
    right: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    given: Counter[str] = Counter()
    exact = 0
    for own, found in zip(gold, guess):
        a, b = set(own), set(found)
        exact += a == b
        right.update(a & b)
        wanted.update(a)
        given.update(b)
    labels = set(wanted) | set(given)
    by_label = [_f1(right[label], wanted[label], given[label]) for label in labels]
    return LabelScores(
        len(gold),
        len(labels),
        exact / len(gold),
        _f1(right.total(), wanted.total(), given.total()),
        sum(by_label) / len(by_label) if by_label else 1.0,
    )


def _f1(right: int, wanted: int, given: int) -> float:
    return 2 * right / (wanted + given) if wanted + given else 1.0
