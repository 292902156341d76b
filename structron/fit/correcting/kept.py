"""Examples that stay right while others are corrected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from structron.fit.correcting.correction import Moved
from structron.model import Model, Place

IsRight = Callable[[Any, Any], bool]  # gold, and what the engine found


@dataclass
class Kept:
    """Labelled data, decoded once: what was right must stay right, and what changes is told.

    `Estimator.keeping` makes one. Corrections that share it do not read and decode the data again.

    Attributes
    ----------
    xs, ys, place
        The examples as the engine takes them, and where each one stands.
    found
        What the model predicts for each.
    right
        Which of them are right.
    model
        The model that predicted them.
    """

    xs: Sequence[Any]
    ys: Sequence[Any]
    place: Place
    found: list[Any]
    right: list[bool]
    model: Model[Any]

    def __len__(self) -> int:
        return len(self.xs)

    @classmethod
    def of(cls, xs: Sequence[Any], ys: Sequence[Any], place: Place, model: Model[Any], is_right: IsRight) -> Kept:
        """Decode examples with a model."""
        found = model.predict(xs, place=place) if len(xs) else []
        return cls(xs, ys, place, found, [is_right(y, each) for y, each in zip(ys, found)], model)

    def seen_by(self, model: Model[Any], is_right: IsRight) -> Kept:
        """Return the same examples, decoded with another model."""
        return self if model is self.model else Kept.of(self.xs, self.ys, self.place, model, is_right)

    def moved(self, other: Kept) -> list[Moved]:
        """Return what another model predicts otherwise."""
        return [
            Moved(i, self.place(i), self.found[i], other.found[i], self.right[i], other.right[i])
            for i in range(len(self))
            if not same(self.found[i], other.found[i])
        ]

    def broken(self, other: Kept) -> list[int]:
        """Return what is right here and wrong with another model."""
        return [i for i, right in enumerate(self.right) if right and not other.right[i]]


def same(one: Any, other: Any) -> bool:
    """Return True if two outputs of the engine are equal; they may be lists, or tuples of arrays."""
    if hasattr(one, "tolist"):
        return bool(one.tolist() == other.tolist())
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)
