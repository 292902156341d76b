"""Word clusters in Python; `core/text/clusters.hpp` has the same look-up, faster."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from structron import _core
from structron.errors import ModelError
from structron.features.casing import lower
from structron.features.keys import hash_bytes
from structron.records import dataclass

if TYPE_CHECKING:
    import numpy.typing as npt

_ARRAYS = ("clusters.words", "clusters.of_words", "clusters.paths")
_FORMATS = ("B", "IH", "B")  # what each may hold, by the letters of Python's `struct`


@dataclass(frozen=True)
class WordClusters:
    """Clusters of words, each with a path of bits from the root of a binary tree.

    All of it is kept as it stands in files: models are loaded more often than anybody looks at single words.

    Parameters
    ----------
    lines
        The words that have a cluster, one a line, in UTF-8.
    numbers
        The number of each word's path: 32 bits, the lowest first.
    tree
        All paths that there are, one a line.
    name
        Their name: the file that they came from.
    """

    lines: bytes
    numbers: bytes
    tree: bytes
    name: str = ""

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]], name: str = "") -> Self:
        """Make clusters from words and their paths."""
        listed = list(pairs)
        number = {path: i for i, path in enumerate(sorted({path for _, path in listed}))}
        numbers = array("I", [number[path] for _, path in listed]).tobytes()
        return cls(_lines(word for word, _ in listed), numbers, _lines(number), name)

    def __getstate__(self) -> dict[str, Any]:
        # The look-up table is built again on demand.
        return {name: getattr(self, name) for name in ("lines", "numbers", "tree", "name")}

    def __len__(self) -> int:
        return len(self.of_words)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Return the words that have a cluster."""
        return tuple(self.lines.decode().split("\n")[:-1])

    @property
    def of_words(self) -> memoryview:
        """Return the number of each word's path."""
        return memoryview(self.numbers).cast("I")

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Return all paths."""
        return tuple(self.tree.decode().split("\n")[:-1])

    @cached_property
    def _path_of(self) -> dict[str, str]:
        return {word: self.paths[i] for word, i in zip(self.words, self.of_words.tolist())}

    def path(self, word: str) -> str | None:
        """Return the path of a word, or of its lower case; None if neither is known."""
        found = self._path_of.get(word)
        return self._path_of.get(lower(word)) if found is None else found

    def prefix(self, word: str, length: int) -> int:
        """Return the value of the first bits of a word's path; 0 for the length means all."""
        path = self.path(word)
        return 0 if path is None else hash_bytes((path[:length] if length else path).encode())

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays for a model file."""
        import numpy as np

        words, tree = (np.frombuffer(lines, np.uint8) for lines in (self.lines, self.tree))
        few = self.tree.count(b"\n") <= 1 << 16
        of_words = np.asarray(self.of_words).astype(np.uint16 if few else np.uint32)
        return dict(zip(_ARRAYS, (words, of_words, tree)))

    @classmethod
    def restore(cls, name: object, arrays: Mapping[str, memoryview | npt.NDArray[Any]]) -> Self:
        """Read the clusters of a model file; raise `ModelError` if they are damaged."""
        given: Mapping[str, Any] = arrays
        found = [memoryview(given[each]) for each in _ARRAYS if each in given]
        if (
            not isinstance(name, str)
            or len(found) < len(_ARRAYS)
            or any(a.format not in kind or a.ndim != 1 for a, kind in zip(found, _FORMATS))
        ):
            raise ModelError("its word clusters are missing or of the wrong kind")
        words, of_words, paths = found
        lines, tree = words.tobytes(), paths.tobytes()
        try:
            lines.decode(), tree.decode()
        except UnicodeDecodeError:
            raise ModelError("its word clusters are not text") from None
        whole = all(text.endswith(b"\n") for text in (lines, tree) if text)
        if (
            not whole
            or lines.count(b"\n") != len(of_words)
            or (len(of_words) and _core.largest(of_words) >= tree.count(b"\n"))
        ):
            raise ModelError("its word clusters do not belong to its words")
        return cls(lines, _core.widened(of_words).tobytes(), tree, name)


def _lines(texts: Iterable[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()
