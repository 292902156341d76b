"""Words as numbers: a vocabulary, and sentences one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from structron.io.values.ngrams import SPECIAL, UNKNOWN


@dataclass(frozen=True)
class Numbered:
    """Sentences of word numbers in one array: sentence i is ``words[offsets[i]:offsets[i + 1]]``."""

    words: npt.NDArray[np.uint32]
    offsets: npt.NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> list[int]:
        sentence: list[int] = self.words[int(self.offsets[i]) : int(self.offsets[i + 1])].tolist()
        return sentence

    @classmethod
    def of(cls, sentences: Iterable[Sequence[int]]) -> Numbered:
        """Put sentences one after the other."""
        kept = list(sentences)
        offsets = np.zeros(len(kept) + 1, np.uint64)
        np.cumsum([len(sentence) for sentence in kept], out=offsets[1:])
        return cls(np.fromiter(chain.from_iterable(kept), np.uint32), offsets)

    def without(self, below: int) -> Numbered:
        """Remove the words whose numbers are below this."""
        keep = self.words >= below
        before = np.concatenate([np.zeros(1, np.uint64), np.cumsum(keep, dtype=np.uint64)])
        return Numbered(np.ascontiguousarray(self.words[keep]), before[self.offsets])


@dataclass(frozen=True)
class Vocabulary:
    """Words by their numbers; the first three are ``<unk>``, ``<s>`` and ``</s>``.

    Examples
    --------
    >>> vocabulary = Vocabulary.of([["a", "b"], ["b", "c"]])
    >>> vocabulary.words, vocabulary.numbers(["c", "d", "<s>"])
    (('<unk>', '<s>', '</s>', 'a', 'b', 'c'), [5, 0, 0])
    """

    words: tuple[str, ...]

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]]) -> Vocabulary:
        """Collect the words of some sentences, in the order of their first occurrence."""
        found = dict.fromkeys(chain(SPECIAL, chain.from_iterable(sentences)))
        return cls(tuple(found))

    @cached_property
    def _number(self) -> dict[str, int]:
        # In a text, the names of special words are unknown words.
        return {word: i if i >= len(SPECIAL) else UNKNOWN for i, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def numbers(self, sentence: Sequence[str]) -> list[int]:
        """Return the numbers of words; unknown words have number 0."""
        return [self._number.get(word, UNKNOWN) for word in sentence]

    def number(self, sentences: Iterable[Sequence[str]]) -> Numbered:
        """Convert sentences to numbers."""
        return Numbered.of([self.numbers(sentence) for sentence in sentences])
