"""The open dictionary: which tags a word may take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from structron import _core


class Dictionary(NamedTuple):
    """Which tags a word may take: `keys[r]`, the hash of a word, owns `tags[offsets[r]:offsets[r + 1]]`."""

    keys: npt.NDArray[np.uint64]
    offsets: npt.NDArray[np.uint32]
    tags: npt.NDArray[np.uint16]

    @classmethod
    def empty(cls) -> Dictionary:
        """Every word may take every tag."""
        return cls(np.empty(0, np.uint64), np.zeros(1, np.uint32), np.empty(0, np.uint16))

    @classmethod
    def observed(cls, pairs: Iterable[tuple[str, str]], labels: Sequence[str], at_least: int) -> Dictionary:
        """The open dictionary: words seen `at_least` times keep to the tags they were seen with."""
        number = {label: i for i, label in enumerate(labels)}
        seen: dict[str, set[int]] = {}
        times: Counter[str] = Counter()
        for word, tag in pairs:
            times[word] += 1
            seen.setdefault(word, set()).add(number[tag])
        return cls._of(
            sorted((_core.hash_bytes(w.encode()), sorted(seen[w])) for w, n in times.items() if n >= at_least)
        )

    def widened(self, pairs: Iterable[tuple[str, str]], labels: Sequence[str]) -> Dictionary:
        """The same words, with the tags they are seen with here as well."""
        number = {label: i for i, label in enumerate(labels)}
        rows = {int(key): set(self.tags[a:b].tolist()) for key, a, b in zip(self.keys, *self._bounds())}
        for word, tag in pairs:
            row = rows.get(_core.hash_bytes(word.encode()))
            if row is not None:
                row.add(number[tag])
        return self._of(sorted((key, sorted(tags)) for key, tags in rows.items()))

    @classmethod
    def _of(cls, rows: Sequence[tuple[int, list[int]]]) -> Dictionary:
        offsets = np.cumsum([0, *(len(tags) for _, tags in rows)]).astype(np.uint32)
        keys = np.array([key for key, _ in rows], np.uint64)
        return cls(keys, offsets, np.array([t for _, tags in rows for t in tags], np.uint16))

    def _bounds(self) -> tuple[list[int], list[int]]:
        return self.offsets[:-1].tolist(), self.offsets[1:].tolist()

    def spread(self, hidden: int) -> Dictionary:
        """The same with all sub-labels of each label; what a file has out of range stays out of range."""
        if hidden == 1:
            return self
        tags = (self.tags.astype(np.int64)[:, None] * hidden + np.arange(hidden)).ravel()
        return Dictionary(
            self.keys,
            np.minimum(self.offsets.astype(np.int64) * hidden, 2**32 - 1).astype(np.uint32),
            np.minimum(tags, 2**16 - 1).astype(np.uint16),
        )

    def tags_of(self, word: str) -> list[int] | None:
        """The tags of a word, or None if it is open."""
        key = np.uint64(_core.hash_bytes(word.encode()))
        at = int(np.searchsorted(self.keys, key))
        if at == len(self.keys) or self.keys[at] != key:
            return None
        return [int(t) for t in self.tags[self.offsets[at] : self.offsets[at + 1]]]
