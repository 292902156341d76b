"""The single bin of a search that builds only whole outputs, and no parts.

All update methods read that bin. `early` and `latest` are the same there, and `standard` too where the search
is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structron.errors import SettingError
from structron.reference.forest.hypergraph import Tree
from structron.reference.sequence.bins import is_gold


@dataclass(frozen=True, eq=False)
class OneBin:
    """The bins of such a search.

    Attributes
    ----------
    guess
        The output that was found; with cost-augmented search, the margin is in its score.
    right
        The gold output; None if there is none, or if it cannot be built.
    oracle
        The oracle.
    """

    space: Any
    guess: Tree
    right: Tree | None
    oracle: Any

    @property
    def final(self) -> int:
        """Return the only bin."""
        return 0

    @property
    def best_score(self) -> NDArray[np.float64]:
        """Return the score of the output."""
        return np.array([self.guess.score], dtype=np.float64)

    @property
    def gold_score(self) -> NDArray[np.float64]:
        """Return the score of gold; NaN without it."""
        return np.array([np.nan if self.right is None else self.right.score], dtype=np.float64)

    @property
    def best_is_gold(self) -> NDArray[np.bool_]:
        """Return True if the output is gold."""
        return np.array([self.oracle is not None and is_gold(self.oracle, self.guess)], dtype=np.bool_)

    @property
    def gold_in_beam(self) -> NDArray[np.bool_]:
        """Return True if the output is gold: nothing else is retained."""
        return self.best_is_gold

    @property
    def fallen(self) -> NDArray[np.bool_]:
        """Return True if there is gold, and it was not found."""
        return np.asarray(~self.best_is_gold & ~np.isnan(self.gold_score))

    def span(self, step: int) -> tuple[int, int]:
        """Return the whole input."""
        return 0, len(self.space.tokens)

    def best(self, step: int) -> Tree:
        """Return the output."""
        return self.guess

    def gold(self, step: int) -> Tree:
        """Return gold."""
        if self.right is None:
            raise IndexError("there is no gold output")
        return self.right

    def kbest(self, k: int, step: int | None = None) -> list[Tree]:
        """Return the output alone."""
        if k > 1:
            raise SettingError(f"search: it finds one tree and not the {k} best; use k = 1, or forest")
        return [self.guess][:k]
