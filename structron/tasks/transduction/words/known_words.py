"""Known words: how a word with the same beginning, or the same end, was split and read.

*Abrahams* is read like *Abraham*, and *backhanded* begins like *backhand*. Windows of letters see this only
in pieces. Here the known word with the longest common beginning is looked up, and the one with the longest
common end, and templates see the pair that each has at a place (`structron.tasks.transduction.features`). A
word gives no hints about itself, so that a transducer learns how far others can be trusted.

`core/tasks/transduction/known_words.hpp` is the engine's twin.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from structron import _core
from structron.engine.rows import Arrays, narrowed, numbers_of
from structron.engine.texts import pack_sequences, unpack_sequences
from structron.errors import ModelError
from structron.features.keys import combine, hash_bytes
from structron.records import dataclass
from structron.tasks.transduction.features import key_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from structron.reference.text.alignment import Piece

LONGEST_PIECE = 15  # source symbols, the most that an aligner produces
FEWEST = 3  # symbols in common
LONGEST_REST = 3  # all longer rests are equal
MOST_AGREEING = 4  # larger counts are equal
ARRAYS = ("numbers", "lengths", "by_end")
REST, WHOLE, LONG = 0x52455354, 0x57484F4C45, 0x4C4F4E47


class Hint(NamedTuple):
    """The hint of a known word about a place of another word.

    Attributes
    ----------
    piece
        The pair that the known word has there.
    agree
        How many more symbols both share, towards the place where they part.
    rest
        The rest of the other word from where they part; None if it is long.
    whole
        True if nothing is left of the known word.
    """

    piece: Piece
    agree: int
    rest: tuple[str, ...] | None
    whole: bool

    @property
    def keys(self) -> tuple[int, int, int]:
        """Return the hashes of these for keys; the last two share one."""
        rest = WHOLE if self.whole else REST
        if self.rest is None:
            rest = combine(rest, LONG)
        for symbol in self.rest or ():
            rest = combine(rest, hash_bytes(symbol.encode()))
        return key_of(self.piece), self.agree + 1, rest


class SimilarWord(NamedTuple):
    """A known word, how many symbols another word shares with it, and how it is split."""

    shared: int
    word: tuple[str, ...]
    cut: tuple[Piece, ...]


@dataclass(frozen=True)
class KnownWords:
    """Words, each split into pairs of pieces.

    Parameters
    ----------
    pieces
        All pieces, sorted.
    numbers
        The numbers of the pieces of all words, one word after the other.
    lengths
        The number of pieces of each word.
    by_end
        The order in which the (sorted) words would be sorted if they were reversed.
    """

    pieces: tuple[Piece, ...]
    numbers: array[int]
    lengths: array[int]
    by_end: array[int]

    def __getstate__(self) -> dict[str, Any]:
        # Words are rebuilt on first use.
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __hash__(self) -> int:
        return hash((len(self.pieces), len(self.numbers), len(self.lengths)))

    @classmethod
    def of(cls, cut: Iterable[Sequence[Piece]]) -> KnownWords:
        """Collect words from their pieces; the first way to split a word counts."""
        words: dict[tuple[str, ...], Sequence[Piece]] = {}
        for pieces in cut:
            words.setdefault(word_of(pieces), pieces)
        every = sorted({piece for pieces in words.values() for piece in pieces})
        number = {piece: i for i, piece in enumerate(every)}
        names = sorted(words)
        ordered = [words[word] for word in names]
        return cls(
            tuple(every),
            array("I", (number[piece] for pieces in ordered for piece in pieces)),
            array("I", map(len, ordered)),
            array("I", sorted(range(len(names)), key=lambda word: names[word][::-1])),
        )

    @cached_property
    def words(self) -> list[tuple[tuple[str, ...], tuple[Piece, ...]]]:
        """Return each word and how it is split."""
        cut = [self.pieces[number] for number in self.numbers]
        ends = list(accumulate(self.lengths))
        return [(word_of(cut[begin:end]), tuple(cut[begin:end])) for begin, end in zip([0, *ends], ends)]

    @property
    def packed(self) -> tuple[list[tuple[list[str], list[str]]], array[int], array[int], array[int]]:
        """Return the words as the engine takes them."""
        pieces = [(list(source), list(target)) for source, target in self.pieces]
        return pieces, self.numbers, self.lengths, self.by_end

    def hints(self, word: Sequence[str]) -> list[tuple[Hint | None, Hint | None]]:
        """Return for each place of a word the hints by its beginning and by its end."""
        begin, end = (self._hints(tuple(word), way) for way in (1, -1))
        return [(begin.get(place), end.get(place)) for place in range(len(word))]

    def alike(self, word: Sequence[str]) -> tuple[SimilarWord | None, SimilarWord | None]:
        """Return the known words with the longest common beginning and with the longest common end."""
        return self._alike(tuple(word), 1), self._alike(tuple(word), -1)

    def _alike(self, word: tuple[str, ...], way: int) -> SimilarWord | None:
        """Find the word with most symbols in common from the beginning, or from the end if `way` is -1."""
        others = [
            SimilarWord(in_common(word[::way], known[::way]), known, cut)
            for known, cut in self.words
            if known != word
        ]
        # Ties go to the shortest word, then to the first.
        best = max(others, key=lambda other: (other.shared, -len(other.word)), default=None)
        return None if best is None or best.shared < FEWEST else best

    def _hints(self, word: tuple[str, ...], way: int) -> dict[int, Hint]:
        """Return the hints by place."""
        alike = self._alike(word, way)
        if alike is None:
            return {}
        shared, known, cut = alike
        left = word[::way][shared:]
        rest = None if len(left) > LONGEST_REST else left
        found: dict[int, Hint] = {}
        begin = 0
        for piece in cut:
            end = begin + len(piece[0])
            # How much both must have in common to have the whole pair.
            outer = end if way == 1 else len(known) - begin
            if outer <= shared:
                place = begin if way == 1 else begin + len(word) - len(known)
                found[place] = Hint(piece, min(shared - outer, MOST_AGREEING), rest, shared == len(known))
            begin = end
        return found

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the words as arrays of a model file."""
        import numpy as np

        own = pack_sequences("known.source", [source for source, _ in self.pieces])
        own |= pack_sequences("known.target", [target for _, target in self.pieces])
        for name in ARRAYS:
            own[f"known.{name}"] = narrowed(np.array(getattr(self, name), np.uint32), np.uint8, np.uint16)
        return own

    @classmethod
    def restore(cls, arrays: Arrays) -> KnownWords:
        """Restore the words from a model file."""
        sources, targets = (unpack_sequences(arrays, f"known.{side}") for side in ("source", "target"))
        numbers, lengths, by_end = (numbers_of(arrays, f"known.{name}") for name in ARRAYS)
        if (
            len(sources) != len(targets)
            or not all(1 <= len(source) <= LONGEST_PIECE for source in sources)
            or not _all_below(len(sources), numbers)
            or sum(lengths) != len(numbers)
            or len(by_end) != len(lengths)
            or not _all_below(len(lengths), by_end)
        ):
            raise ModelError("its known words do not fit together")
        return cls(tuple(zip(sources, targets)), numbers, lengths, by_end)


def _all_below(count: int, numbers: array[int]) -> bool:
    """Return True if all numbers are below `count`.

    The engine does this, since for a million numbers it would otherwise take most of the loading time.
    """
    return not numbers or _core.largest(numbers) < count


def word_of(pieces: Iterable[Piece]) -> tuple[str, ...]:
    """Return the word that consists of these pieces."""
    return tuple(symbol for source, _ in pieces for symbol in source)


def in_common(a: Sequence[str], b: Sequence[str]) -> int:
    """Count the symbols that both begin with."""
    for n, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return n
    return min(len(a), len(b))
