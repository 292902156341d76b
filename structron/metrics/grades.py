"""Grades: outputs that are better or worse rather than right or wrong, such as translations."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Grade:
    """An output with its score, from 0 to 1.

    Attributes
    ----------
    place
        Where its input stands, for messages.
    source
        The input; empty if only outputs are known.
    gold
        The references.
    """

    place: str
    source: str
    gold: tuple[str, ...]
    guess: str
    score: float
    measure: str

    @property
    def size(self) -> int:
        """Return how many words there are in the input, or else in the first reference."""
        return len((self.source or self.gold[0]).split())


def worst(grades: Sequence[Grade]) -> list[Grade]:
    """Return the outputs, the worst first."""
    return sorted(grades, key=lambda each: each.score)


def table_of(grades: Sequence[Grade]) -> str:
    """Return all outputs as comma-separated values with a heading, in their order."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["place", grades[0].measure, "source", "output", "gold"])
    for each in grades:
        writer.writerow([each.place, f"{each.score:.6f}", each.source, each.guess, *each.gold])
    return out.getvalue()
