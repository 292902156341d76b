"""Phrase tables that the engine extracts from parallel text and its links.

The definitions are `structron.tasks.translation.phrases.extraction` and
`structron.tasks.translation.phrases.leave_one_out`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.alignment.bitext import Links
from structron.alignment.vocabulary import Numbered, Vocabulary
from structron.errors import ModelError, SettingError
from structron.tasks.translation.phrases.extraction import MOST_LINKED, Option
from structron.tasks.translation.phrases.leave_one_out import LEAST

SCORES = ("target given source", "words given source", "source given target", "words given target")
REORDERING = tuple(
    f"{how} {where}" for where in ("before", "after") for how in ("monotone", "swap", "discontinuous")
)


@dataclass(frozen=True)
class PhraseTable:
    """Phrases and their translations as arrays, sorted by the source phrases' words.

    Options of source phrase ``s`` are numbers ``first_option[s]`` to ``first_option[s + 1]``, the best
    first. Logarithms are natural.

    Parameters
    ----------
    source_vocabulary, target_vocabulary
        Words by their numbers.
    source_words, source_offsets
        The source phrases, one after the other.
    source_counts
        How often each was extracted, with any target.
    first_option
        The first option of each source phrase, and the number of options.
    target_words, target_offsets
        The options' target phrases.
    target_counts
        How often each option's target was extracted, with any source.
    counts
        How often each option was extracted.
    scores
        Logarithms of phi(e|f), lex(e|f), phi(f|e) and lex(f|e), see `SCORES`.
    reordering
        Logarithms of the probabilities of orientations, see `REORDERING`.
    link_offsets, links
        The most frequent links inside each option, a row of source and target position for each.
    """

    source_vocabulary: tuple[str, ...]
    target_vocabulary: tuple[str, ...]
    source_words: npt.NDArray[np.uint32]
    source_offsets: npt.NDArray[np.uint32]
    source_counts: npt.NDArray[np.uint32]
    first_option: npt.NDArray[np.uint32]
    target_words: npt.NDArray[np.uint32]
    target_offsets: npt.NDArray[np.uint32]
    target_counts: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint32]
    scores: npt.NDArray[np.float32]
    reordering: npt.NDArray[np.float32]
    link_offsets: npt.NDArray[np.uint32]
    links: npt.NDArray[np.uint8]

    def __post_init__(self) -> None:
        phrases, options = len(self.source_counts), len(self.counts)
        ends = [
            (self.source_offsets, phrases, len(self.source_words)),
            (self.first_option, phrases, options),
            (self.target_offsets, options, len(self.target_words)),
            (self.link_offsets, options, len(self.links)),
        ]
        for offsets, count, end in ends:
            if len(offsets) != count + 1 or int(offsets[0]) or int(offsets[-1]) != end:
                raise ModelError("its phrase table has arrays of different lengths")
            if (offsets[1:] < offsets[:-1]).any():
                raise ModelError("its phrase table is not in order")
        shapes = self.scores.shape, self.reordering.shape, self.target_counts.shape, self.links.shape
        links = (len(self.links), 2)
        if shapes != ((options, len(SCORES)), (options, len(REORDERING)), (options,), links):
            raise ModelError("its phrase table has arrays of different lengths")
        sides = (self.source_words, self.source_vocabulary), (self.target_words, self.target_vocabulary)
        for words, vocabulary in sides:
            if len(words) and int(words.max()) >= len(vocabulary):
                raise ModelError("its phrase table has words that are not in its vocabulary")

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all arrays by name, for a model file, without the vocabularies."""
        return {name: getattr(self, name) for name in ARRAYS}

    def each(self) -> Iterator[Option]:
        """Yield every option in the form of the definition."""
        for s, (begin, end) in enumerate(pairwise(self.first_option.tolist())):
            source = _part(self.source_words, self.source_offsets, s)
            for o in range(begin, end):
                links = self.links[int(self.link_offsets[o]) : int(self.link_offsets[o + 1])].tolist()
                yield Option(
                    source,
                    _part(self.target_words, self.target_offsets, o),
                    tuple(self.scores[o].tolist()),
                    tuple(self.reordering[o].tolist()),
                    int(self.counts[o]),
                    int(self.source_counts[s]),
                    int(self.target_counts[o]),
                    tuple((i, j) for i, j in links),
                )


ARRAYS = tuple(field.name for field in fields(PhraseTable))[2:]
"""The names of a table's arrays."""


def _part(values: npt.NDArray[Any], offsets: npt.NDArray[np.uint32], i: int) -> tuple[int, ...]:
    return tuple(values[int(offsets[i]) : int(offsets[i + 1])].tolist())


@dataclass(frozen=True)
class Extraction:
    """A phrase table, and the number of phrase pairs it was chosen from: different ones, and all."""

    table: PhraseTable
    different: int
    instances: int


@dataclass(frozen=True)
class PhraseExtractor:
    """The settings of phrase extraction.

    Parameters
    ----------
    longest
        The most words of a phrase.
    least
        Drop phrase pairs seen fewer times, except for those of one word on each side.
    most
        The most options of a source phrase.
    """

    longest: int = 7
    least: int = 2
    most: int = 20

    def __post_init__(self) -> None:
        if not 1 <= self.longest <= MOST_LINKED:
            raise SettingError(f"phrases of up to {self.longest} words; choose 1 to {MOST_LINKED}")
        if self.least < 1 or self.most < 1:
            raise SettingError(f"at least {self.least} times, at most {self.most} options; choose 1 or more")

    def extract(
        self, sources: Numbered, targets: Numbered, links: Links, vocabularies: tuple[Vocabulary, Vocabulary]
    ) -> Extraction:
        """Extract the table of sentences with links; the vocabularies are those of sources and targets."""
        if not len(sources) == len(targets) == len(links):
            raise SettingError(
                f"{len(sources):,} sources, {len(targets):,} targets and {len(links):,} alignments; "
                "give as many of each"
            )
        different, instances, arrays = _core.phrase_table(
            sources.words,
            sources.offsets,
            targets.words,
            targets.offsets,
            *links.arrays,
            len(vocabularies[0]),
            len(vocabularies[1]),
            self.longest,
            self.least,
            self.most,
        )
        columns: list[npt.NDArray[Any]] = list(arrays)
        named: dict[str, Any] = dict(zip(ARRAYS, columns, strict=True))
        for name, width in (("scores", len(SCORES)), ("reordering", len(REORDERING)), ("links", 2)):
            named[name] = named[name].reshape(-1, width)
        table = PhraseTable(vocabularies[0].words, vocabularies[1].words, **named)
        return Extraction(table, different, instances)

    def leave_one_out(self, table: PhraseTable, least: float = LEAST) -> _core.LeaveOneOut:
        """Create the engine's `structron.tasks.translation.phrases.leave_one_out` for this table."""
        return _core.LeaveOneOut(
            table.source_words,
            table.source_offsets,
            table.source_counts,
            table.first_option,
            table.target_words,
            table.target_offsets,
            table.target_counts,
            table.counts,
            self.longest,
            least,
        )
