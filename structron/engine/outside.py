"""Update methods and rows of one's own: the engine's arrays become the traces and rows that they read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from structron.errors import SettingError
from structron.reference.learners.violations import check_shares
from structron.reference.sequence.row_keeper import RowOffers, kept_places

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]


@dataclass(slots=True)
class BinArrays:
    """The bins of one search as an update method reads them, see `structron.reference.sequence.bins.Bins`.

    Attributes
    ----------
    best_score, gold_score
        The best score of each bin, and the best gold score, pruned or not; NaN where there is none.
    gold_in_beam, best_is_gold, fallen
        Whether gold is still in the search, is its best item, or was pruned there or before.
    """

    best_score: Floats
    gold_score: Floats
    gold_in_beam: Bools
    best_is_gold: Bools
    fallen: Bools

    @property
    def final(self) -> int:
        """Return the last bin, the one of the outputs."""
        return len(self.best_score) - 1


@dataclass(frozen=True)
class Chooser:
    """A function that tells the engine where to update: the arrays of many searches in, their bins out.

    Parameters
    ----------
    update
        From a trace to the number of a bin, to several, whose sum is one update, to several with shares, or
        to None.
    name
        Its name in messages.
    """

    update: Callable[[Any], int | tuple[int, ...] | Mapping[int, float] | None]
    name: str

    def __call__(self, offsets: Any, best: Any, gold: Any, in_beam: Any, is_gold: Any, fallen: Any) -> Any:
        flags = in_beam.view(bool), is_gold.view(bool), fallen.view(bool)
        ends = offsets.tolist()
        return [
            self._bins(BinArrays(best[a:b], gold[a:b], *(each[a:b] for each in flags)))
            for a, b in pairwise(ends)
        ]

    def _bins(self, trace: BinArrays) -> list[tuple[int, float]]:
        """Return the bins to update on, and their shares."""
        try:
            chosen = self.update(trace)
        except ValueError as error:  # which would be taken for one of the engine's
            raise SettingError(f"update {self.name}: it failed with {error!r}; fix it") from error
        if chosen is None:
            return []
        try:
            if isinstance(chosen, Mapping):
                shares = {int(each): float(share) for each, share in chosen.items()}
            else:
                several = chosen if isinstance(chosen, tuple | list) else (chosen,)
                return [(int(each), 1.0) for each in several]
        except (TypeError, ValueError):
            raise SettingError(
                f"update {self.name}: {chosen!r} is no bin; return a whole number, several, shares or None"
            ) from None
        return list(check_shares(shares, f"update {self.name}").items()) if shares else []


@dataclass(frozen=True)
class Keeping:
    """A function that tells the engine who stays in a row of a beam."""

    keeper: Any

    def __call__(self, memory: dict[Any, Any], row: int, score: Any, parent: Any, action: Any) -> list[int]:
        return kept_places(self.keeper, RowOffers(row, score, parent, action, memory))
