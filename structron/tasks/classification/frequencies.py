"""Of how many training texts each feature is one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Frequencies(NamedTuple):
    """`keys[i]` is a feature of `times[i]` of so many documents; all other features do not count.

    Without documents nothing is known, and every feature counts.
    """

    keys: npt.NDArray[np.uint64]
    times: npt.NDArray[np.uint32]
    documents: int

    @classmethod
    def none(cls) -> Frequencies:
        """Nothing is known."""
        return cls(np.empty(0, np.uint64), np.empty(0, np.uint32), 0)

    @classmethod
    def observed(
        cls,
        keys: npt.NDArray[np.uint64],
        times: npt.NDArray[np.uint32],
        documents: int,
        least: int,
    ) -> Frequencies:
        """Those that are features of at least so many documents."""
        kept = times >= least
        order = np.argsort(keys[kept], kind="stable")
        return cls(keys[kept][order], times[kept][order], documents)

    def widened(self, more: Frequencies) -> Frequencies:
        """With the features of one more batch that are new; what is known of the others stays as it was."""
        new = ~np.isin(more.keys, self.keys)
        keys = np.concatenate([self.keys, more.keys[new]])
        # They were features of none of the documents before.
        times = np.concatenate([self.times, np.zeros(int(new.sum()), np.uint32)])
        order = np.argsort(keys, kind="stable")
        return Frequencies(keys[order], times[order], self.documents)

    def table(self) -> dict[int, int] | None:
        """The same as a dict; None where nothing is known."""
        if not self.documents:
            return None
        return dict(zip(self.keys.tolist(), self.times.tolist()))
