"""Rows of a beam that are chosen by an object of one's own, in place of the best few.

The definition and the engine ask the same way: once for each row of each search, with arrays.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from structron.errors import SettingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(slots=True)
class RowOffers:
    """The candidates of a row, best first; with merging, the best of each merge key.

    Attributes
    ----------
    row
        Which row of the search this is, from 0.
    score
        The score of each candidate, with the margin while training.
    parent
        The number of the item that each comes from. A search numbers its items from 1, in the order in which
        it keeps them; where it begins is 0.
    action
        The action that each takes.
    memory
        A dict of this search alone, empty on its first row.
    """

    row: int
    score: NDArray[np.float64]
    parent: NDArray[np.uint32]
    action: NDArray[np.uint32]
    memory: dict[Any, Any]

    def __len__(self) -> int:
        return len(self.score)


class RowKeeper(Protocol):
    """An object that chooses rows, and by nothing but the row, so that threads change no result.

    `width` bounds the gold side, as that of a beam; `merge` may be left out.
    """

    width: int

    def keep(self, row: RowOffers) -> Sequence[int]:
        """Return the places of the candidates that stay, at least one."""
        ...


def kept_places(keeper: Any, row: RowOffers) -> list[int]:
    """Return the places that a keeper chooses, each once and in order; refuse what is none."""
    name = f"search {type(keeper).__name__}"
    try:
        chosen = [*keeper.keep(row)]
    except ValueError as error:  # which would be taken for one of the engine's
        raise SettingError(f"{name}: keep failed with {error!r}; fix it") from error
    try:
        places = sorted({operator.index(place) for place in chosen})
    except TypeError:
        raise SettingError(f"{name}: keep returned {chosen!r}; return places as whole numbers") from None
    if not places or places[0] < 0 or places[-1] >= len(row):
        raise SettingError(
            f"{name}: keep returned {chosen!r} for {len(row)} candidates; return at least one place, "
            f"from 0 to {len(row) - 1}"
        )
    return places
