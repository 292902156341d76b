"""Learners that read sparse arrays: each coordinate has a number, and what is known of it may be an array."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from structron.errors import SettingError
from structron.reference.checks.hooks import ARRAY_LEARNER
from structron.reference.learners.violations import Violation
from structron.reference.sequence.spaces import SparseVector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(slots=True)
class Differences:
    """Violations that were found with the same weights, as sparse arrays.

    Attributes
    ----------
    at, value
        The coordinates of all differences Φ(gold) - Φ(guess), one violation after the other, and how far gold
        is ahead there. Coordinates have numbers from 0 on, in the order in which they come up.
    offsets
        Where each violation begins in these, and where the last ends.
    excess, loss, example
        Of each violation: guess minus gold, as search saw it; the loss; and which example it comes from.
    coordinates
        How many have come up so far.
    """

    at: NDArray[np.uint32]
    value: NDArray[np.float32]
    offsets: NDArray[np.uint64]
    excess: NDArray[np.float64]
    loss: NDArray[np.float64]
    example: NDArray[np.uint32]
    coordinates: int

    def __len__(self) -> int:
        return len(self.excess)

    def summed(self) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
        """Return the sum of all differences, with each coordinate once."""
        import numpy as np

        if len(self) == 1:
            return self.at, self.value
        at, place = np.unique(self.at, return_inverse=True)
        return at, np.bincount(place, self.value).astype(np.float32)

    def room(self, known: NDArray[Any], fill: float = 0.0) -> NDArray[Any]:
        """Return an array with a place for every coordinate; it is copied only where it is too short."""
        import numpy as np

        if len(known) >= self.coordinates:
            return known
        grown = np.full(2 * self.coordinates, fill, known.dtype)
        grown[: len(known)] = known
        return grown


@dataclass(frozen=True)
class Asked:
    """A learner as the engine calls it: its arrays in, coordinates and values out, or None for no change."""

    learner: Any

    def __call__(self, *arrays: Any) -> Any:
        kind = type(self.learner).__name__
        try:
            answer = self.learner.move(Differences(*arrays))
        except ValueError as error:  # which would be taken for one of the engine's
            raise SettingError(f"learner {kind}: it failed with {error!r}; fix it") from error
        if answer is None:
            return None
        import numpy as np

        try:
            at, value = answer
            return np.ascontiguousarray(at, np.uint32), np.ascontiguousarray(value, np.float32)
        except (TypeError, ValueError):
            raise SettingError(
                f"learner {kind}: move returned neither two arrays nor None; return (at, value)"
            ) from None


@dataclass
class ArrayLearner:
    """The definition's learner for an object with `move`: names become numbers, and numbers names again."""

    learner: Any
    _numbers: dict[Hashable, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ARRAY_LEARNER.check_names(self.learner)
        self.margin = float(ARRAY_LEARNER.of(self.learner, "margin"))
        self.constraints = int(ARRAY_LEARNER.of(self.learner, "constraints"))
        self.close_calls = bool(ARRAY_LEARNER.of(self.learner, "close_calls"))

    def change(self, violations: Sequence[Violation]) -> SparseVector:
        """Return the object's answer."""
        import numpy as np

        numbers = self._numbers
        parts = [
            (numbers.setdefault(name, len(numbers)), value)
            for violation in violations
            for name, value in violation.delta.items()
        ]
        at, value = np.array(parts).reshape(-1, 2).T
        answer = Asked(self.learner)(
            at.astype(np.uint32),
            value.astype(np.float32),
            np.cumsum([0, *(len(each.delta) for each in violations)]).astype(np.uint64),
            np.array([each.excess for each in violations]),
            np.array([each.loss for each in violations]),
            np.array([each.example for each in violations], np.uint32),
            len(numbers),
        )
        if answer is None:
            return {}
        names = list(numbers)
        change: SparseVector = {}
        for number, moved in zip(*answer):
            change[names[number]] = change.get(names[number], 0.0) + float(moved)
        return change
