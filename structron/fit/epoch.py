"""The record of one pass over the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from structron.records import dataclass


@dataclass(frozen=True)
class Epoch:
    """Figures of one epoch. Where the learner has a margin, search is cost-augmented while it learns, so that
    a sentence which is right by less than the margin counts as an error here.

    Attributes
    ----------
    epoch
        Which pass, from 1.
    examples, tokens
        How much was seen.
    errors
        Sentences whose output was wrong.
    updates, invalid
        Updates made, and how many of them fixed no violation.
    early_stopped
        Sentences updated on a proper prefix.
    dev_score
        Score on the development set after this epoch, if there is one.
    best
        Whether this is the best epoch so far; without a development set every epoch is.
    seconds, cpu_seconds
        Time spent learning; the development set is not counted.
    waited_seconds
        Time in which threads or workers stood idle, all together.
    notes
        What else a task tells of the model after this epoch, such as weights that drift.
    """

    epoch: int
    examples: int
    tokens: int
    errors: int
    updates: int
    invalid: int
    early_stopped: int
    dev_score: float | None
    best: bool
    seconds: float
    cpu_seconds: float
    waited_seconds: float = 0.0
    notes: Mapping[str, float] = field(default_factory=dict)

    @property
    def invalid_share(self) -> float:
        """Invalid updates as a share of all updates."""
        return self.invalid / self.updates if self.updates else 0.0

    @property
    def tokens_per_second(self) -> float:
        """Return how fast it learned."""
        return self.tokens / self.seconds if self.seconds > 0 else 0.0

    def record(self) -> dict[str, Any]:
        """Return all but the clock, for a model file: equal runs give equal files."""
        notes = {"notes": dict(self.notes)} if self.notes else {}
        return {name: getattr(self, name) for name in _RECORDED} | notes

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Epoch:
        """An epoch from a model file; times are 0, and unknown entries are ignored."""
        kept = {name: record[name] for name in _RECORDED}
        return cls(**kept, seconds=0.0, cpu_seconds=0.0, notes=numbers_of(record.get("notes")))


def numbers_of(notes: object) -> dict[str, float]:
    """Read the notes of an epoch from a file; skip anything else."""
    if not isinstance(notes, dict):
        return {}
    return {name: float(value) for name, value in notes.items() if isinstance(value, int | float)}


_RECORDED = (
    "epoch",
    "examples",
    "tokens",
    "errors",
    "updates",
    "invalid",
    "early_stopped",
    "dev_score",
    "best",
)
