"""Span F1 as conlleval counts it: a span is right if both its ends and its type are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass

from structron.io.values.labels import Span, spans
from structron.metrics.accuracy import Labels, pairs

__all__ = ["Score", "Span", "score_of_spans", "span_f1", "spans"]


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


def span_f1(gold: Labels, guess: Labels) -> Score:
    """Compute precision, recall and F1 of spans, over all sentences and for each type.

    Examples
    --------
    >>> span_f1([["B-NP", "I-NP", "O"]], [["B-NP", "O", "B-NP"]]).f1
    0.0
    """
    return score_of_spans((set(spans(a)), set(spans(b))) for a, b in pairs(gold, guess))


def score_of_spans(found: Iterable[tuple[Set[Span], Set[Span]]]) -> Score:
    """Compute the same from the spans of gold and guess in each sentence or text."""
    right, marks, guesses = Counter[str](), Counter[str](), Counter[str]()
    for marked, guessed in found:
        for counts, own in ((right, marked & guessed), (marks, marked), (guesses, guessed)):
            counts.update(span.kind for span in own)
    kinds = sorted(marks.keys() | guesses.keys())
    per_type = {kind: Score(right[kind], marks[kind], guesses[kind], {}) for kind in kinds}
    return Score(right.total(), marks.total(), guesses.total(), per_type)
