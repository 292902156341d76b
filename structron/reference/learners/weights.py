"""Weights: a sparse vector that scores features, and remembers enough to be averaged lazily."""

from __future__ import annotations

import math
from collections.abc import Hashable, ItemsView, Iterable, Mapping, Sequence

from structron.errors import SettingError

SparseVector = dict[Hashable, float]
Features = Mapping[Hashable, float] | Iterable[tuple[Hashable, float]]


def pairs(features: Features) -> Iterable[tuple[Hashable, float]]:
    """Return features as pairs of name and value, whichever of the two forms they have."""
    return features.items() if isinstance(features, Mapping) else features


class Weights:
    """A weight for every feature; features that were never updated have weight 0 and take no space.

    Parameters
    ----------
    values
        Where to start from; nothing means the zero vector.

    Examples
    --------
    >>> w = Weights()
    >>> w.add({"the": 1.0, "cat": -2.0}); w.tick(); w.tick()
    >>> w.score([("the", 1.0), ("cat", 0.5), ("dog", 9.0)])
    0.0
    >>> round(w.averaged()["cat"], 3)    # 0 at the start, then -2 after both examples
    -1.333
    """

    def __init__(self, values: Features = ()) -> None:
        self._now: SparseVector = {name: float(value) for name, value in pairs(values) if value != 0.0}
        self._late: SparseVector = {}
        self._counter = 1

    @property
    def counter(self) -> int:
        """Return one more than the number of examples seen: `c` of the tutorial's averaging figure."""
        return self._counter

    def score(self, features: Features) -> float:
        """Return the inner product with `features`, summed in the given order."""
        total = 0.0
        for name, value in pairs(features):
            total += self._now.get(name, 0.0) * value
        return total

    def add(self, delta: Features, scale: float = 1.0) -> None:
        """Move by `scale` times `delta` (lines 8 and 9 of the averaging figure)."""
        for name, value in pairs(delta):
            _accumulate(self._now, name, scale * value)
            _accumulate(self._late, name, self._counter * (scale * value))

    def tick(self) -> None:
        """Count one more example, updated or not (line 11 of the averaging figure)."""
        self._counter += 1

    def averaged(self) -> Weights:
        """Return the mean of the start and the vectors after each example: `w - w_a / c` (Daumé's trick)."""
        mean = self.copy()
        for name, value in self._late.items():
            _accumulate(mean._now, name, -value / self._counter)
        mean._late = {}
        mean._counter = 1
        return mean

    @classmethod
    def mix(cls, parts: Sequence[Weights], shares: Sequence[float] | None = None) -> Weights:
        """Return the mixture `sum_i shares[i] * parts[i]`; its average is the same mixture of the parts'
        averages.

        Parameters
        ----------
        parts
            The weights of the shards.
        shares
            One share for each part, none negative, with sum 1; equal shares when left out.
        """
        if not parts:
            raise SettingError("mix: there are no weights to mix; give at least one")
        if shares is None:
            shares = [1.0 / len(parts)] * len(parts)
        if len(shares) != len(parts) or min(shares) < 0 or not math.isclose(sum(shares), 1.0, rel_tol=1e-9):
            raise SettingError(
                f"mix: shares {list(shares)} do not fit {len(parts)} weights; give one share each, "
                "none negative, with sum 1"
            )
        mixture = cls()
        mixture._counter = max(part._counter for part in parts)
        for part, share in zip(parts, shares):
            # A shard that saw fewer examples has a smaller counter; on the common counter its late sum grows.
            stretch = mixture._counter / part._counter
            for name, value in part._now.items():
                _accumulate(mixture._now, name, share * value)
            for name, value in part._late.items():
                _accumulate(mixture._late, name, share * stretch * value)
        return mixture

    def copy(self) -> Weights:
        """Return an independent copy, including the sums for averaging."""
        twin = Weights()
        twin._now = dict(self._now)
        twin._late = dict(self._late)
        twin._counter = self._counter
        return twin

    def norm(self) -> float:
        """Return the Euclidean length."""
        return math.sqrt(sum(value * value for value in self._now.values()))

    def items(self) -> ItemsView[Hashable, float]:
        """Return all features whose weight is not 0."""
        return self._now.items()

    def __getitem__(self, name: Hashable) -> float:
        return self._now.get(name, 0.0)

    def __len__(self) -> int:
        return len(self._now)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Weights) and self._now == other._now

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(f"{name!r}: {value:g}" for name, value in list(self._now.items())[:4])
        return f"Weights({{{shown}{', ...' if len(self) > 4 else ''}}})"


def _accumulate(vector: SparseVector, name: Hashable, value: float) -> None:
    """Add in place and keep no zeros, so that equal vectors are equal dictionaries."""
    total = vector.get(name, 0.0) + value
    if total != 0.0:
        vector[name] = total
    else:
        vector.pop(name, None)
