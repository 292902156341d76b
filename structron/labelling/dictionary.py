"""The open dictionary: which tags a word may take."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from structron import _core


class Dictionary(NamedTuple):
    """The possible tags of words: `keys[r]`, the hash of a word, owns `tags[offsets[r]:offsets[r + 1]]`."""

    keys: array[int]
    offsets: array[int]
    tags: array[int]

    @classmethod
    def empty(cls) -> Dictionary:
        """Return a dictionary in which every word may take every tag."""
        return cls(array("Q"), array("I", [0]), array("H"))

    @classmethod
    def observed(cls, pairs: Iterable[tuple[str, str]], labels: Sequence[str], at_least: int) -> Dictionary:
        """Return the open dictionary: words seen `at_least` times keep to the tags they were seen with."""
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
        """Return the same words with additional tags from these pairs."""
        number = {label: i for i, label in enumerate(labels)}
        bounds = zip(self.keys, self.offsets, self.offsets[1:])
        rows = {key: set(self.tags[a:b]) for key, a, b in bounds}
        for word, tag in pairs:
            row = rows.get(_core.hash_bytes(word.encode()))
            if row is not None:
                row.add(number[tag])
        return self._of(sorted((key, sorted(tags)) for key, tags in rows.items()))

    @classmethod
    def _of(cls, rows: Sequence[tuple[int, list[int]]]) -> Dictionary:
        offsets = array("I", accumulate((len(tags) for _, tags in rows), initial=0))
        keys = array("Q", [key for key, _ in rows])
        return cls(keys, offsets, array("H", [t for _, tags in rows for t in tags]))

    def spread(self, hidden: int) -> Dictionary:
        """Replace each label by its sub-labels; numbers out of range in a file stay out of range."""
        if hidden == 1:
            return self
        return Dictionary(
            self.keys,
            array("I", [min(offset * hidden, 2**32 - 1) for offset in self.offsets]),
            array("H", [min(tag * hidden + h, 2**16 - 1) for tag in self.tags for h in range(hidden)]),
        )

    def tags_of(self, word: str) -> list[int] | None:
        """Return the tags of a word, or None if it is open."""
        key = _core.hash_bytes(word.encode())
        at = bisect_left(self.keys, key)
        if at == len(self.keys) or self.keys[at] != key:
            return None
        return self.tags[self.offsets[at] : self.offsets[at + 1]].tolist()
