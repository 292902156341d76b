"""Gazetteers: marks for the words of a sentence that are part of an entry; `core/text/gazetteers.hpp` is the
twin.

Of the entries that begin at a word the longest counts, and the next one begins after it. What a list says
of a word is a column of the token after those that it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from structron.errors import ModelError
from structron.features.casing import lower
from structron.records import dataclass

if TYPE_CHECKING:
    import numpy.typing as npt

_END = None  # in a tree of words: an entry ends here
_Node = dict[str | None, Any]


@dataclass(frozen=True)
class Gazetteers:
    """Lists of names of entities; each list has a name.

    Parameters
    ----------
    names
        Their names in templates, as in ``in(cities)[0]``.
    lists
        The entries of each, blanks between their words.
    """

    names: tuple[str, ...] = ()
    lists: tuple[tuple[str, ...], ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        # The look-up table is built again on demand.
        return {"names": self.names, "lists": self.lists}

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def _trees(self) -> list[_Node]:
        found: list[_Node] = []
        for entries in self.lists:
            tree: _Node = {}
            for entry in entries:
                node = tree
                for word in entry.split(" "):
                    if word:
                        node = node.setdefault(word, {})
                if node is not tree:
                    node[_END] = True
            found.append(tree)
        return found

    def marks(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the mark of each list for each word: S alone, B first, I inside, E last, or empty."""
        return list(zip(*(_marked(tree, words) for tree in self._trees))) if len(self) else [()] * len(words)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays for a model file."""
        import numpy as np

        return {
            f"gazetteers.{i}": np.frombuffer("\n".join(entries).encode(), np.uint8)
            for i, entries in enumerate(self.lists)
        }

    @classmethod
    def restore(cls, names: Sequence[str], arrays: Mapping[str, memoryview | npt.NDArray[Any]]) -> Self:
        """Read the lists of a model file; raise `ModelError` if they are damaged."""
        lists = []
        for i in range(len(names)):
            given: Any = arrays.get(f"gazetteers.{i}")
            found = None if given is None else memoryview(given)
            if found is None or found.format != "B" or found.ndim != 1:
                raise ModelError(f"its gazetteer {names[i]!r} is missing or of the wrong kind")
            try:
                lists.append(tuple(found.tobytes().decode().split("\n")))
            except UnicodeDecodeError:
                raise ModelError(f"its gazetteer {names[i]!r} is not text") from None
        return cls(tuple(names), tuple(lists))


def _marked(tree: _Node, words: Sequence[str]) -> list[str]:
    marks = [""] * len(words)
    i = 0
    while i < len(words):
        n = _longest(tree, words[i:])
        marks[i : i + n] = ["S"] if n == 1 else ["B", *"I" * (n - 2), "E"] if n else []
        i += max(n, 1)
    return marks


def _longest(node: _Node, words: Sequence[str]) -> int:
    """Return the length of the longest entry here; try lower case for words that lead nowhere."""
    found = 0
    for i, word in enumerate(words, 1):
        following = node.get(word)
        if following is None:
            following = node.get(lower(word))
        if following is None:
            break
        node = following
        if _END in node:
            found = i
    return found
