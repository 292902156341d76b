"""Source words as the tables know them: compounds split, and unseen words replaced by known forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from structron.engine.rows import Arrays, typed
from structron.engine.texts import pack_texts, unpack_texts
from structron.errors import ModelError
from structron.tasks.translation.storage import narrow, wide
from structron.tasks.translation.words.compounds import Compounds, has_compounds
from structron.tasks.translation.words.word_forms import WordForms

COMPOUNDS = ("auto", "split", "whole")
Words = tuple[str, ...]
MOST = 1 << 18  # different words in the cache
_NAME = "source_words"


@dataclass(frozen=True)
class SourceWords:
    """The preparation of source words before they are looked up.

    Parameters
    ----------
    words, counts
        The original words of the training data, and how often each was seen.
    splits
        Split compounds.
    forms
        Replace an unseen word by a known one with another ending.

    Examples
    --------
    >>> known = SourceWords.of([["der", "regen"], ["ein", "mantel"]] * 2, "split", False)
    >>> known.seen(["ein", "regenmantel"]), known.places(["ein", "regenmantel"])
    (('ein', 'regen', 'mantel'), [0, 1, 1])
    """

    words: Words
    counts: npt.NDArray[np.uint32]
    splits: bool
    forms: bool

    def __post_init__(self) -> None:
        if self.counts.shape != (len(self.words),) or len(set(self.words)) != len(self.words):
            raise ModelError("the counts of its source words do not fit")

    @classmethod
    def of(cls, sources: Iterable[Sequence[str]], compounds: str, forms: bool) -> SourceWords:
        """Count the words of sources; `compounds` is one of `COMPOUNDS`, where ``auto`` detects compounds."""
        counts = Counter(chain.from_iterable(sources))
        splits = has_compounds(counts) if compounds == "auto" else compounds == "split"
        return cls(tuple(counts), np.fromiter(counts.values(), np.uint32), splits, forms)

    def seen(self, source: Sequence[str]) -> Words:
        """Return the words of a source as they are looked up."""
        return tuple(chain.from_iterable(map(self._remembered, source)))

    def places(self, source: Sequence[str]) -> list[int]:
        """Return the original position of each word that is looked up."""
        return [i for i, word in enumerate(source) for _ in self._remembered(word)]

    def _found(self, word: str) -> Words:
        parts = self._compounds.parts(word) if self.splits else (word,)
        return tuple(self._forms.nearest(part) or part for part in parts) if self.forms else parts

    @cached_property
    def _remembered(self) -> Callable[[str], Words]:
        return lru_cache(MOST)(self._found)

    @cached_property
    def _compounds(self) -> Compounds:
        return Compounds(dict(zip(self.words, self.counts.tolist())))

    @cached_property
    def _forms(self) -> WordForms:
        known: Counter[str] = Counter()
        for word, count in zip(self.words, self.counts.tolist()):
            for part in self._compounds.parts(word) if self.splits else (word,):
                known[part] += count
        return WordForms(known)

    def __getstate__(self) -> dict[str, Any]:
        # Derived values are rebuilt on first use.
        return {name: self.__dict__[name] for name in ("words", "counts", "splits", "forms")}

    # ------------------------------------------------------------------------------------------ in a file

    @property
    def header(self) -> dict[str, Any]:
        """Return plain data for a model file."""
        return {_NAME: {"splits": self.splits, "forms": self.forms}}

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return words and counts."""
        return pack_texts(f"{_NAME}.words", self.words) | {f"{_NAME}.counts": narrow(self.counts)}

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> SourceWords:
        """Restore the words of a model file; older files leave source words unchanged."""
        if _NAME not in header:
            return UNCHANGED
        said = typed(header, _NAME, dict)
        return cls(
            tuple(unpack_texts(arrays, f"{_NAME}.words")),
            wide(arrays, f"{_NAME}.counts", np.uint32),
            typed(said, "splits", bool),
            typed(said, "forms", bool),
        )


UNCHANGED = SourceWords((), np.zeros(0, np.uint32), splits=False, forms=False)
