"""Tables of rules with gaps as arrays, made by the engine; `...hiero.rules` is the definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.alignment.bitext import Links
from structron.alignment.vocabulary import Numbered, Vocabulary
from structron.engine.rows import Arrays
from structron.engine.texts import pack_texts, unpack_texts
from structron.errors import ModelError, SettingError
from structron.tasks.translation.hiero.rules import MOST_WORDS, USUAL, CountedRule, Limits
from structron.tasks.translation.phrases.table import SCORES
from structron.tasks.translation.storage import Stored, narrow, wide


@dataclass(frozen=True)
class RuleTable:
    """Rules as arrays, sorted by the symbols of their sources: like `PhraseTable`, without reordering.

    Symbols are numbers of words; 1 and 2, which are words of no sentence, are the gaps. Links are places of
    symbols.
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
    link_offsets: npt.NDArray[np.uint32]
    links: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.counts)

    def each(self) -> Iterator[CountedRule]:
        """Yield every rule in the form of the definition."""
        return self.some(range(len(self)))

    def some(self, numbers: Iterable[int]) -> Iterator[CountedRule]:
        """Yield the rules of these numbers, which increase."""
        scores, links = self.scores.reshape(-1, len(SCORES)), self.links.reshape(-1, 2)
        for o in numbers:
            s = int(np.searchsorted(self.first_option, o, "right")) - 1
            inside = links[int(self.link_offsets[o]) : int(self.link_offsets[o + 1])].tolist()
            yield CountedRule(
                _part(self.source_words, self.source_offsets, s),
                _part(self.target_words, self.target_offsets, o),
                tuple(scores[o].tolist()),
                int(self.counts[o]),
                int(self.source_counts[s]),
                int(self.target_counts[o]),
                tuple((i, j) for i, j in inside),
            )

    @property
    def numbers(self) -> list[npt.NDArray[np.uint32]]:
        """Return the arrays of numbers, as the engine takes them."""
        return [getattr(self, name) for name in ARRAYS if name not in ("scores", "links")]


ARRAYS = tuple(field.name for field in fields(RuleTable))[2:]
"""The names of a table's arrays."""
_KINDS: dict[str, type] = {"scores": np.float32, "links": np.uint8}


def _part(values: npt.NDArray[Any], offsets: npt.NDArray[np.uint32], i: int) -> tuple[int, ...]:
    return tuple(values[int(offsets[i]) : int(offsets[i + 1])].tolist())


@dataclass(frozen=True)
class RuleExtractor:
    """The settings of rule extraction.

    Parameters
    ----------
    limits
        The limits of rules.
    least
        Drop rules seen fewer times, except for those of one word on each side.
    most
        The most options of a source side.
    """

    limits: Limits = USUAL
    least: int = 2
    most: int = 20

    def __post_init__(self) -> None:
        if not 1 <= self.limits.words <= MOST_WORDS or not 1 <= self.limits.symbols <= MOST_WORDS:
            raise SettingError(
                f"rules of up to {self.limits.symbols} symbols from up to {self.limits.words} words; "
                f"choose 1 to {MOST_WORDS} of each"
            )
        if self.least < 1 or self.most < 1:
            raise SettingError(f"at least {self.least} times, at most {self.most} options; choose 1 or more")

    def extract(
        self, sources: Numbered, targets: Numbered, links: Links, vocabularies: tuple[Vocabulary, Vocabulary]
    ) -> tuple[RuleTable, int, int]:
        """Extract the table; return it with the number of different rules, and of all rules."""
        if not len(sources) == len(targets) == len(links):
            raise SettingError(
                f"{len(sources):,} sources, {len(targets):,} targets and {len(links):,} alignments; "
                "give as many of each"
            )
        different, instances, arrays = _core.rule_table(
            sources.words,
            sources.offsets,
            targets.words,
            targets.offsets,
            *links.arrays,
            len(vocabularies[0]),
            len(vocabularies[1]),
            self.limits.words,
            self.limits.symbols,
            self.least,
            self.most,
        )
        named: dict[str, Any] = dict(zip(ARRAYS, arrays, strict=True))
        return RuleTable(vocabularies[0].words, vocabularies[1].words, **named), different, instances


def pack_rules(name: str, table: RuleTable) -> Stored:
    """Return arrays ``name.source_words`` and so on; numbers take as few bytes as possible."""
    vocabularies = pack_texts(f"{name}.source_vocabulary", table.source_vocabulary)
    vocabularies |= pack_texts(f"{name}.target_vocabulary", table.target_vocabulary)
    return vocabularies | {f"{name}.{part}": narrow(getattr(table, part)) for part in ARRAYS}


def unpack_rules(arrays: Arrays, name: str) -> RuleTable:
    """Restore what `pack_rules` has packed; the engine checks it."""
    sides = [tuple(unpack_texts(arrays, f"{name}.{side}_vocabulary")) for side in ("source", "target")]
    parts: dict[str, Any] = {
        part: wide(arrays, f"{name}.{part}", _KINDS.get(part, np.uint32)) for part in ARRAYS
    }
    if not len(parts["counts"]):
        raise ModelError("its table of rules is empty")
    return RuleTable(sides[0], sides[1], **parts)
