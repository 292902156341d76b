"""Texts with their tokens, packed by the engine: what labelled units and built words have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from structron import _core

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class PackedTexts:
    """The engine's corpus; how a text is added to it is the task's own."""

    def __init__(self, packed: _core.TaggingCorpus | _core.WordCorpus) -> None:
        self._texts = packed

    @property
    def sentences(self) -> int:
        """How many texts."""
        return self._texts.sentences

    @property
    def tokens(self) -> int:
        """How many units or characters."""
        return self._texts.tokens

    def counts(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """The keys of features that see the text alone, and how often each is seen."""
        return self._texts.counts()

    def keep(self, keys: npt.NDArray[np.uint64], /) -> None:
        """Discard all others of them."""
        self._texts.keep(keys)
