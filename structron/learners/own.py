"""Learners of one's own: differences as sparse arrays in, the change as another out.

The engine's side is ``core/learn/outside.hpp``; `ArrayLearner` is the definition.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from structron import _core
from structron.errors import SettingError
from structron.settings import Piece, is_piece, piece_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from structron.reference import ArrayLearner

    Answer = tuple[NDArray[np.uint32], NDArray[np.float32]]


@dataclass(frozen=True)
class OwnLearner:
    """An object with a method `move` that says how far the weights move, see `Differences`.

    Parameters
    ----------
    name
        What a model's file calls it; in a training, a `Piece`, which has the object with it. Every training
        works on a copy of it.
    """

    name: str

    exchanges: ClassVar[bool] = False
    is_gradient: ClassVar[bool] = False

    @property
    def piece(self) -> Any:
        """Return the object; refuse the name alone."""
        found = piece_of(self.name)
        if found is None:
            raise SettingError(
                f"learner {self.name}: a model's file names it and does not hold it; give the object itself"
            )
        return found

    @property
    def averaged(self) -> bool:
        """Return whether the mean of all weight vectors predicts; the mean is usual."""
        return bool(self._of("averaged"))

    @property
    def margin(self) -> float:
        """Return how far gold must be ahead for every wrong action, in search."""
        return float(self._of("margin"))

    @property
    def constraints(self) -> int:
        """Return how many guesses of a bin it wants to see."""
        return int(self._of("constraints"))

    def engine(self) -> _core.Learner:
        """Return the engine's learner: a copy of the object, so that each training begins alike."""
        from structron.reference.learners.array_learner import Asked

        piece, close = copy.deepcopy(self.piece), bool(self._of("close_calls"))
        return _core.OutsideLearner(Asked(piece), self.margin, self.constraints, close)

    def _of(self, name: str) -> Any:
        """Return the object's own declaration, or the default."""
        from structron.reference.checks.hooks import ARRAY_LEARNER

        return ARRAY_LEARNER.of(piece_of(self.name), name)

    def definition(self) -> ArrayLearner:
        """Return the learner of the definition."""
        from structron import reference

        return reference.ArrayLearner(copy.deepcopy(self.piece))

    def __str__(self) -> str:
        return self.name


def own_learner(learner: object) -> OwnLearner:
    """Return the learner for an object with `move`, or for the name of one."""
    if is_piece(learner):
        return OwnLearner(learner)  # type: ignore[arg-type]
    from structron.reference.checks.hooks import ARRAY_LEARNER

    ARRAY_LEARNER.check_names(learner)
    return OwnLearner(Piece.of(learner))
