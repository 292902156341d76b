"""Examples that stay right while others are corrected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from structron.fit.correcting.constraints import Costs
from structron.fit.correcting.correction import Moved
from structron.fit.correcting.decoding import LiveWeights
from structron.model import Model

IsRight = Callable[[Any, Any], bool]  # gold, and what the engine found


# With so many examples, those that are least sure are decoded first: if one of them is wrong now, the others
# need not be decoded with these weights.
MANY = 2_000
UNSURE = 8  # one in so many


@dataclass
class Kept:
    """Labelled data, decoded once: what was right must stay right, and what changes is told.

    `Estimator.keeping` makes one. Corrections that share it do not read and decode the data again, and what
    they correct is kept as well from then on.

    Attributes
    ----------
    xs, ys
        The examples as the engine takes them.
    places
        Where each one stands.
    found
        What the model predicts for each.
    right
        Which of them are right.
    model
        The model that predicted them.
    unsure
        Those whose best output is least ahead of the second, in their order; empty if there are few.
    """

    xs: list[Any]
    ys: list[Any]
    places: Sequence[str]
    found: list[Any]
    right: list[bool]
    model: Model[Any]
    unsure: list[int] = field(default_factory=list)
    live: LiveWeights | None = None  # of that model, from the correction before
    costs: Costs | None = None  # what changes cost, by what is kept

    def __len__(self) -> int:
        return len(self.xs)

    @classmethod
    def of(
        cls, xs: Sequence[Any], ys: Sequence[Any], places: Sequence[str], model: Model[Any], is_right: IsRight
    ) -> Kept:
        """Decode examples with a model."""
        found = model.predict(xs) if len(xs) else []
        right = [is_right(y, each) for y, each in zip(ys, found)]
        kept = cls(list(xs), list(ys), list(places), found, right, model)
        if len(xs) >= MANY:
            kept.unsure = least_sure(model, kept.xs, len(xs) // UNSURE)
        return kept

    def seen_by(self, model: Model[Any], is_right: IsRight) -> Kept:
        """Return the same examples, decoded with another model."""
        return self if model is self.model else self._decoded(model, is_right, range(len(self)))

    def broken_by(
        self, model: Model[Any], is_right: IsRight, known: Callable[[int], bool]
    ) -> tuple[list[int], Kept]:
        """Return examples that are wrong with another model and right here, and what it predicts.

        Those that are least sure come first. If one of them is wrong that is not `known` to be, the others
        are not decoded.
        """
        found = self
        if model is not self.model:
            found = self._decoded(model, is_right, self.unsure)
            if all(map(known, self.broken(found))):
                unsure = set(self.unsure)
                found = found._decoded(model, is_right, [i for i in range(len(self)) if i not in unsure])
        return self.broken(found), found

    def _decoded(self, model: Model[Any], is_right: IsRight, numbers: Sequence[int]) -> Kept:
        """Return a copy in which these examples are predicted by another model."""
        found, right = list(self.found), list(self.right)
        answers = model.predict([self.xs[i] for i in numbers]) if len(numbers) else []
        for i, answer in zip(numbers, answers):
            if not same(found[i], answer):  # most are as they were
                found[i], right[i] = answer, is_right(self.ys[i], answer)
        return replace(self, found=found, right=right, model=model)

    def take(self, other: Kept) -> None:
        """Become what another model predicts."""
        self.found, self.right, self.model, self.live = other.found, other.right, other.model, other.live

    def add(self, x: Any, y: Any, place: str, found: Any) -> None:
        """Keep one more example, which is right."""
        self.xs.append(x)
        self.ys.append(y)
        self.places = [*self.places, place]
        self.found.append(found)
        self.right.append(True)
        if self.unsure:
            self.unsure.append(len(self.xs) - 1)

    def moved(self, other: Kept, readable: Callable[[Any, Any], Any] = lambda x, found: found) -> list[Moved]:
        """Return the inputs for which another model predicts otherwise; `readable` renders an output."""
        return [
            Moved(
                i,
                self.places[i],
                readable(self.xs[i], self.found[i]),
                readable(self.xs[i], other.found[i]),
                self.right[i],
                other.right[i],
            )
            for i in range(len(self))
            if not same(self.found[i], other.found[i])
        ]

    def broken(self, other: Kept) -> list[int]:
        """Return the examples that are right here and wrong with another model."""
        return [i for i, right in enumerate(self.right) if right and not other.right[i]]


def same(one: Any, other: Any) -> bool:
    """Return True if two outputs of the engine are equal; they may be lists, or tuples of arrays."""
    if hasattr(one, "tolist"):
        return bool(one.tolist() == other.tolist())
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def least_sure(model: Model[Any], xs: Sequence[Any], count: int) -> list[int]:
    """Return the examples whose best output is least ahead of the second."""
    leads = []
    for i, best in enumerate(model.kbest(xs, 2)):
        leads.append((best[0][1] - best[1][1] if len(best) > 1 else float("inf"), i))
    return sorted(i for _, i in sorted(leads)[:count])
