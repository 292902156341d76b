"""Packed texts with their tokens: the part that labelled units and built words share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from structron import _core

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class PackedTexts:
    """The engine's corpus; each task adds texts in its own way."""

    def __init__(self, packed: _core.TaggingCorpus | _core.WordCorpus) -> None:
        self._texts = packed

    @property
    def sentences(self) -> int:
        """Return the number of texts."""
        return self._texts.sentences

    @property
    def tokens(self) -> int:
        """Return the number of units or characters."""
        return self._texts.tokens

    def counts(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """Return the keys of features that see the text alone, and how often each occurs."""
        return self._texts.counts()

    def keep(self, keys: npt.NDArray[np.uint64], /) -> None:
        """Discard all other features of this kind."""
        self._texts.keep(keys)
