"""The choices of a training, in the engine's terms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from structron import _core
from structron.search import KeptRows, Search


class Choices(NamedTuple):
    """The choices of a training, in the engine's terms.

    Attributes
    ----------
    search
        How to search for the best output.
    update
        The engine's number for the update method.
    skip_correct
        Make no update on an example whose output is right.
    learner
        How far the weights move.
    kind
        Which member of the family of searches it is.
    chooser
        What is asked where to update, if that is a function of one's own.
    """

    search: _core.Search
    update: int
    skip_correct: bool
    learner: _core.Learner
    kind: str = "beam"
    chooser: Callable[..., Any] | None = None

    @property
    def arguments(self) -> tuple[_core.Search, int, bool, _core.Learner]:
        """Return the arguments of the engine's trainers."""
        return self.search, self.update, self.skip_correct, self.learner


def engine_search(search: Search) -> _core.Search:
    """Return the engine's search: a width of 0 is a beam without bound."""
    if isinstance(search, KeptRows):
        from structron.engine.outside import Keeping

        return _core.Search(search.width, search.merge, search.within, Keeping(search.keeper))
    return _core.Search(search.width or 0, search.merge, search.within)
