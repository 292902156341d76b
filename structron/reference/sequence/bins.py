"""What every search leaves behind: bins in the order in which they are built, and derivations.

The searches are a family. Each fills bins: the rows of a beam, the stacks of a decoder by words covered, the
cells of a chart from the bottom up. Per bin there are a best item and a best gold item, gold being the same
search restricted to what the oracle allows. Update methods read these and nothing else, so none of them asks
which search it was.

Where bins follow one another (`in_order`), every bin comes after all bins before it. In a chart the order is
only partial: a cell comes after the cells inside it, and the list of bins is one of several orders that
respect this. The methods keep their meaning, with bins for rows:

- *standard* is the last bin, where the outputs are;
- *early* is the first violated bin, in the order of the list, of those where gold has fallen out;
- *latest* is the last such bin;
- *max-violation* is the bin with the greatest excess, of equals the later in the list;
- *parallel* is max-violation, then the same among the bins that cover nothing of what the chosen ones do,
  and so on, for one update. Where bins follow one another each covers all before it: one is chosen;
- *LaSO* goes on from one bin after it has updated there, so it needs bins that follow one another; a search
  without them is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

# A piece of a derivation, as the space wants it: `space.features(*part)` are its features and
# `oracle.allows(*part)` says whether it is gold.
Part = tuple[Any, ...]


class Move(NamedTuple):
    """A part of a path: what was done in which state."""

    state: Any
    action: int


class Derivation(Protocol):
    """A bag of parts; Φ is the sum of their features."""

    @property
    def score(self) -> float:
        """As search has it: with cost-augmented search, the margin is in it."""
        ...

    @property
    def parts(self) -> Sequence[Part]:
        """All its parts."""
        ...

    def apart_from(self, other: Any) -> Sequence[Part]:
        """Its parts without those that are known to be in the other as well."""
        ...

    def distance(self, other: Any) -> float:
        """In how much it differs from another: the loss of a space that has none of its own."""
        ...


class Bins(Protocol):
    """A finished search; numbers of bins are from 0 to `final`, the bin of the outputs."""

    @property
    def space(self) -> Any:
        """What was searched."""
        ...

    @property
    def final(self) -> int:
        """The last bin; -1 if there is nothing to decide."""
        ...

    @property
    def best_score(self) -> NDArray[np.float64]:
        """The best score of each bin; NaN where it is empty."""
        ...

    @property
    def gold_score(self) -> NDArray[np.float64]:
        """The best gold score of each bin, kept by the free search or not; NaN where gold has no item."""
        ...

    @property
    def gold_in_beam(self) -> NDArray[np.bool_]:
        """For each bin, whether gold is still in the search."""
        ...

    @property
    def best_is_gold(self) -> NDArray[np.bool_]:
        """Whether the best item of each bin is gold; False where it is empty."""
        ...

    @property
    def fallen(self) -> NDArray[np.bool_]:
        """For each bin with gold, whether gold has fallen out there or on the way there."""
        ...

    def span(self, step: int, /) -> tuple[int, int]:
        """From where to where in the input a bin reaches."""
        ...

    def best(self, step: int, /) -> Any:
        """The derivation of the best item of a bin."""
        ...

    def gold(self, step: int, /) -> Any:
        """The derivation of the best gold item of a bin."""
        ...

    def kbest(self, k: int, step: int | None = None, /) -> Sequence[Any]:
        """The `k` best derivations of a bin, of the last if none is named."""
        ...


def is_gold(oracle: Any, derivation: Derivation) -> bool:
    """Whether the oracle allows every part."""
    return all(oracle.allows(*part) for part in derivation.parts)
