"""Which cluster a word is in; `core/words/clusters.hpp` looks it up in the same way, faster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from structron.errors import ModelError
from structron.features.casing import lower
from structron.features.keys import hash_bytes

_ARRAYS = ("clusters.words", "clusters.of_words", "clusters.paths")


@dataclass(frozen=True)
class WordClusters:
    """The clusters of words, each a path of bits from the root of a binary tree.

    Parameters
    ----------
    words
        Those that have a cluster.
    of_words
        Of each, the number of its path.
    paths
        All that there are.
    name
        What they are called: the file that they came from.
    """

    words: tuple[str, ...]
    of_words: tuple[int, ...]
    paths: tuple[str, ...]
    name: str = ""

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]], name: str = "") -> Self:
        """The clusters of words that are given with their paths."""
        listed = list(pairs)
        number = {path: i for i, path in enumerate(sorted({path for _, path in listed}))}
        return cls(
            tuple(word for word, _ in listed), tuple(number[path] for _, path in listed), tuple(number), name
        )

    def __getstate__(self) -> dict[str, Any]:
        # What is looked up is made again where it is needed.
        return {name: getattr(self, name) for name in ("words", "of_words", "paths", "name")}

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def _path_of(self) -> dict[str, str]:
        return {word: self.paths[i] for word, i in zip(self.words, self.of_words)}

    def path(self, word: str) -> str | None:
        """The path of a word, or of the same in lower case; None if neither is known."""
        found = self._path_of.get(word)
        return self._path_of.get(lower(word)) if found is None else found

    def prefix(self, word: str, length: int) -> int:
        """The value of the first bits of its path, of all with 0; 0 if it has none."""
        path = self.path(word)
        return 0 if path is None else hash_bytes((path[:length] if length else path).encode())

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What a model file keeps."""
        values = _lines(self.words), np.array(self.of_words, np.uint32), _lines(self.paths)
        return dict(zip(_ARRAYS, values))

    @classmethod
    def restore(cls, name: object, arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """The clusters of a model file; `ModelError` if they are not whole."""
        kinds = (np.uint8, np.uint32, np.uint8)
        found = [arrays.get(each) for each in _ARRAYS]
        if not isinstance(name, str) or any(
            a is None or a.dtype != kind or a.ndim != 1 for a, kind in zip(found, kinds)
        ):
            raise ModelError("its word clusters are missing or of the wrong kind")
        words, of_words, paths = (a for a in found if a is not None)
        try:
            listed, tree = _texts(words), _texts(paths)
        except UnicodeDecodeError:
            raise ModelError("its word clusters are not text") from None
        if len(listed) != len(of_words) or (len(of_words) and int(of_words.max()) >= len(tree)):
            raise ModelError("its word clusters do not belong to its words")
        return cls(listed, tuple(of_words.tolist()), tree, name)


def _lines(texts: Iterable[str]) -> npt.NDArray[np.uint8]:
    return np.frombuffer("".join(f"{text}\n" for text in texts).encode(), np.uint8)


def _texts(lines: npt.NDArray[np.uint8]) -> tuple[str, ...]:
    text = lines.tobytes().decode()
    return tuple(text.split("\n")[:-1]) if text.endswith("\n") else ()
