"""Span F1 as conlleval counts it: a span is right if both its ends and its type are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from structron.errors import DataError
from structron.io.values.labels import is_span_label, parts
from structron.metrics.accuracy import Labels, pairs


class Span(NamedTuple):
    """The words from `start` up to but not including `end`, with a type."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class Score:
    """Counts of spans, with precision, recall and F1; 0 if there is nothing to divide by."""

    right: int
    gold: int
    guess: int
    per_type: dict[str, Score]

    @property
    def precision(self) -> float:
        """Return the share of guessed spans that are right."""
        return self.right / self.guess if self.guess else 0.0

    @property
    def recall(self) -> float:
        """Return the share of gold spans that were found."""
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Return the harmonic mean of precision and recall."""
        return 2 * self.right / (self.gold + self.guess) if self.gold + self.guess else 0.0

    def table(self) -> str:
        """Return a line for each type and one for all, in per cent."""
        width = max(len(kind) for kind in ["type", "all", *self.per_type])
        lines = [f"{'type':{width}} {'precision':>9} {'recall':>7} {'F1':>7} {'gold':>7} {'guess':>7}"]
        for kind, score in [*sorted(self.per_type.items()), ("all", self)]:
            shares = f"{100 * score.precision:9.2f} {100 * score.recall:7.2f} {100 * score.f1:7.2f}"
            lines.append(f"{kind:{width}} {shares} {score.gold:7} {score.guess:7}")
        return "\n".join(lines)


def spans(labels: Sequence[str]) -> list[Span]:
    """Return the spans that labels mark, in any scheme; read illegal labels as conlleval does.

    Examples
    --------
    >>> spans(["B-NP", "I-NP", "O", "I-VP"])
    [Span(start=0, end=2, kind='NP'), Span(start=3, end=4, kind='VP')]
    """
    found: list[Span] = []
    start, before, before_kind = 0, "O", ""
    for i, label in enumerate(labels):
        if not is_span_label(label):
            raise DataError(f"label {label!r} marks no span; score such labels by accuracy")
        prefix, kind = parts(label)
        goes_on = before in ("B", "I") and prefix in ("I", "E") and kind == before_kind
        if not goes_on:
            if before != "O":
                found.append(Span(start, i, before_kind))
            start = i
        before, before_kind = prefix, kind
    if before != "O":
        found.append(Span(start, len(labels), before_kind))
    return found


def span_f1(gold: Labels, guess: Labels) -> Score:
    """Compute precision, recall and F1 of spans, over all sentences and for each type.

    Examples
    --------
    >>> span_f1([["B-NP", "I-NP", "O"]], [["B-NP", "O", "B-NP"]]).f1
    0.0
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("right", "gold", "guess")}
    for a, b in pairs(gold, guess):
        marked, guessed = set(spans(a)), set(spans(b))
        for name, found in (("right", marked & guessed), ("gold", marked), ("guess", guessed)):
            counts[name].update(span.kind for span in found)
    right, marks, guesses = counts["right"], counts["gold"], counts["guess"]
    kinds = sorted(marks.keys() | guesses.keys())
    per_type = {kind: Score(right[kind], marks[kind], guesses[kind], {}) for kind in kinds}
    return Score(right.total(), marks.total(), guesses.total(), per_type)
