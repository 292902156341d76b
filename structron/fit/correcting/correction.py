"""The result of a correction: which examples hold, which cannot and why, and what else changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from structron.engine.changes import LABELS, Change
from structron.reference.sequence import correction as definition

REASONS = {
    definition.ALIKE: "what is right and what is predicted have the same features",
    definition.SEARCH: "the search loses what is right, although it scores best",
    definition.ILLEGAL: "the model cannot yield this output",
    definition.CONTRADICTION: "no weights meet it and all else that is to be right",
    definition.UNSETTLED: "it was not reached in the rounds there are",
}


@dataclass(frozen=True)
class Outcome:
    """The outcome for one example that was to be corrected.

    Attributes
    ----------
    number, place
        Which of the examples it is, from 0, and where it stands in the user's data.
    reason
        Why it cannot be right, one of `REASONS`; empty if it holds.
    detail
        More on the reason: what the example contradicts, or what the engine says of it.
    was_right
        Whether it was right before the change.
    before, after
        What the model predicts for it, as `predict` gives it; None if it cannot be read.
    """

    number: int
    place: str
    reason: str = ""
    detail: str = ""
    was_right: bool = False
    before: Any = None
    after: Any = None

    @property
    def holds(self) -> bool:
        """Return True if the example is right now."""
        return not self.reason

    def __str__(self) -> str:
        if self.holds:
            return f"{self.place}: {'was right before' if self.was_right else 'holds'}"
        return (
            f"{self.place}: cannot hold, {REASONS[self.reason]}{f' ({self.detail})' if self.detail else ''}"
        )


@dataclass(frozen=True)
class Moved:
    """A kept example for which the model now predicts something else.

    Attributes
    ----------
    number, place
        Which of the kept examples it is, from 0, and where it stands.
    before, after
        What the model predicted, and what it predicts.
    was_right, is_right
        Whether that was right, and whether it is.
    """

    number: int
    place: str
    before: Any
    after: Any
    was_right: bool
    is_right: bool


@dataclass(frozen=True)
class Correction:
    """The smallest change of a model after which examples are right, and what it did.

    Attributes
    ----------
    outcomes
        One for each example that was to be corrected.
    change
        What is added to the weights; the model keeps it as a part of its own, which can be taken back.
    kept, kept_right
        How many examples were kept, and how many of them were right before.
    moved
        Which of them are predicted otherwise now: all were decoded again.
    margin
        How far what is right is ahead of all else, for each wrong decision.
    size, largest
        The length of the change, and the largest change of one weight.
    rounds, constraints
        How often the examples were decoded, and how many constraints the programme had at the end.
    new_labels
        Labels that the model has from now on, if they were asked for.
    """

    outcomes: tuple[Outcome, ...]
    change: Change
    kept: int
    kept_right: int
    moved: tuple[Moved, ...]
    margin: float
    size: float
    largest: float
    rounds: int
    constraints: int
    new_labels: tuple[str, ...] = ()

    @property
    def hold(self) -> int:
        """Return how many of the examples are right now."""
        return sum(each.holds for each in self.outcomes)

    @property
    def were_right(self) -> int:
        """Return how many of them were right before."""
        return sum(each.was_right for each in self.outcomes)

    @property
    def broken(self) -> int:
        """Return how many of the kept examples were right and are wrong now."""
        return sum(each.was_right and not each.is_right for each in self.moved)

    @property
    def mended(self) -> int:
        """Return how many of the kept examples were wrong and are right now."""
        return sum(each.is_right and not each.was_right for each in self.moved)

    def record(self) -> dict[str, Any]:
        """Return the record of the change for the model file."""
        return {
            "examples": len(self.outcomes),
            "hold": self.hold,
            "kept": self.kept,
            "moved": len(self.moved),
            "margin": self.margin,
            "size": round(self.size, 6),
            **({LABELS: [*self.new_labels]} if self.new_labels else {}),
        }
