"""The number of training texts that have each feature."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Frequencies(NamedTuple):
    """`keys[i]` is a feature of `times[i]` documents; all other features do not count.

    Without documents the frequencies are unknown, and every feature counts.
    """

    keys: npt.NDArray[np.uint64]
    times: npt.NDArray[np.uint32]
    documents: int

    @classmethod
    def none(cls) -> Frequencies:
        """Return unknown frequencies."""
        return cls(np.empty(0, np.uint64), np.empty(0, np.uint32), 0)

    @classmethod
    def observed(
        cls,
        keys: npt.NDArray[np.uint64],
        times: npt.NDArray[np.uint32],
        documents: int,
        min_documents: int,
    ) -> Frequencies:
        """Keep the features that at least `min_documents` documents have."""
        kept = times >= min_documents
        order = np.argsort(keys[kept], kind="stable")
        return cls(keys[kept][order], times[kept][order], documents)

    def widened(self, more: Frequencies) -> Frequencies:
        """Add the new features of one more batch; the others keep their frequencies."""
        new = ~np.isin(more.keys, self.keys)
        keys = np.concatenate([self.keys, more.keys[new]])
        # None of the previous documents has them.
        times = np.concatenate([self.times, np.zeros(int(new.sum()), np.uint32)])
        order = np.argsort(keys, kind="stable")
        return Frequencies(keys[order], times[order], self.documents)

    def table(self) -> dict[int, int] | None:
        """Return a dict of frequencies; None if they are unknown."""
        if not self.documents:
            return None
        return dict(zip(self.keys.tolist(), self.times.tolist()))
