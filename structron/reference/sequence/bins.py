"""Bins and derivations: the result of every search, in the order in which it is built.

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
    """A part of a path: an action and the state it was taken in."""

    state: Any
    action: int


class Derivation(Protocol):
    """A bag of parts; Φ is the sum of their features."""

    @property
    def score(self) -> float:
        """Return its score in the search; with cost-augmented search that includes the margin."""
        ...

    @property
    def parts(self) -> Sequence[Part]:
        """Return all its parts."""
        ...

    def apart_from(self, other: Any) -> Sequence[Part]:
        """Return its parts without those that are known to be in the other as well."""
        ...

    def distance(self, other: Any) -> float:
        """Return its distance from another: the loss of a space that has none of its own."""
        ...


class Bins(Protocol):
    """A finished search; bins are numbered from 0 to `final`, the bin of the outputs."""

    @property
    def space(self) -> Any:
        """Return the space that was searched."""
        ...

    @property
    def final(self) -> int:
        """Return the last bin; -1 if there is nothing to decide."""
        ...

    @property
    def best_score(self) -> NDArray[np.float64]:
        """Return the best score of each bin; NaN if it is empty."""
        ...

    @property
    def gold_score(self) -> NDArray[np.float64]:
        """Return the best gold score of each bin, pruned or not; NaN if gold has no item."""
        ...

    @property
    def gold_in_beam(self) -> NDArray[np.bool_]:
        """Return for each bin True if gold is still in the search."""
        ...

    @property
    def best_is_gold(self) -> NDArray[np.bool_]:
        """Return for each bin True if its best item is gold; False if it is empty."""
        ...

    @property
    def fallen(self) -> NDArray[np.bool_]:
        """Return for each bin with gold True if gold was pruned there or before."""
        ...

    def span(self, step: int, /) -> tuple[int, int]:
        """Return the part of the input that a bin covers."""
        ...

    def best(self, step: int, /) -> Any:
        """Return the derivation of the best item of a bin."""
        ...

    def gold(self, step: int, /) -> Any:
        """Return the derivation of the best gold item of a bin."""
        ...

    def kbest(self, k: int, step: int | None = None, /) -> Sequence[Any]:
        """Return the `k` best derivations of a bin, by default the last."""
        ...


def is_gold(oracle: Any, derivation: Derivation) -> bool:
    """Return True if the oracle allows every part."""
    return all(oracle.allows(*part) for part in derivation.parts)
