"""Known words: how a word that begins alike, or ends alike, was cut and read.

*Abrahams* is read as *Abraham* is, and *backhanded* begins as *backhand* does. Windows of letters see that in
pieces; here the word that has the longest beginning in common with another is looked up, and the one that has
the longest end, and templates see which pair each has at a place (`structron.tasks.transduction.features`).
A word
says nothing about itself: so a transducer learns how far others can be trusted.

The engine's `core/tasks/transduction/known_words.hpp` finds the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from structron import _core
from structron.engine.rows import Arrays, narrowed, numbers_of
from structron.engine.texts import pack_sequences, unpack_sequences
from structron.errors import ModelError
from structron.features.keys import combine, hash_bytes
from structron.tasks.transduction.features import key_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from structron.reference.text.alignment import Piece

LONGEST_PIECE = 15  # of its source, as long as an aligner makes them
FEWEST = 3  # symbols in common
LONGEST_REST = 3  # of a longer rest nothing is told but that it is longer
MOST_AGREEING = 4  # more of them count as so many
ARRAYS = ("numbers", "lengths", "by_end")
REST, WHOLE, LONG = 0x52455354, 0x57484F4C45, 0x4C4F4E47


class Hint(NamedTuple):
    """What a known word tells about a place of another.

    Attributes
    ----------
    piece
        The pair that it has there.
    agree
        How many more symbols both have, on the side where they part.
    rest
        What is left of the other word where they part, from there outward; None if that is long.
    whole
        Whether nothing is left of the known word.
    """

    piece: Piece
    agree: int
    rest: tuple[str, ...] | None
    whole: bool

    @property
    def keys(self) -> tuple[int, int, int]:
        """What stands for each of these in a key; the last two are one."""
        rest = WHOLE if self.whole else REST
        if self.rest is None:
            rest = combine(rest, LONG)
        for symbol in self.rest or ():
            rest = combine(rest, hash_bytes(symbol.encode()))
        return key_of(self.piece), self.agree + 1, rest


class Alike(NamedTuple):
    """A known word: how many symbols another one has in common with it, and how it is cut."""

    shared: int
    word: tuple[str, ...]
    cut: tuple[Piece, ...]


@dataclass(frozen=True)
class KnownWords:
    """Words, each cut into pairs of pieces.

    Parameters
    ----------
    pieces
        All that there are, sorted.
    numbers
        Of all words, one after the other, the numbers of their pieces.
    lengths
        How many pieces each word has.
    by_end
        Words are sorted; in this order they are when all are written backward.
    """

    pieces: tuple[Piece, ...]
    numbers: array[int]
    lengths: array[int]
    by_end: array[int]

    def __getstate__(self) -> dict[str, Any]:
        # Words are put together again where they are needed.
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __hash__(self) -> int:
        return hash((len(self.pieces), len(self.numbers), len(self.lengths)))

    @classmethod
    def of(cls, cut: Iterable[Sequence[Piece]]) -> KnownWords:
        """Those that are cut like this; of the same word the first way counts."""
        words: dict[tuple[str, ...], Sequence[Piece]] = {}
        for pieces in cut:
            words.setdefault(spelled(pieces), pieces)
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
        """Each word, and how it is cut."""
        cut = [self.pieces[number] for number in self.numbers]
        ends = list(accumulate(self.lengths))
        return [(spelled(cut[begin:end]), tuple(cut[begin:end])) for begin, end in zip([0, *ends], ends)]

    @property
    def packed(self) -> tuple[list[tuple[list[str], list[str]]], array[int], array[int], array[int]]:
        """As the engine takes them."""
        pieces = [(list(source), list(target)) for source, target in self.pieces]
        return pieces, self.numbers, self.lengths, self.by_end

    def hints(self, word: Sequence[str]) -> list[tuple[Hint | None, Hint | None]]:
        """For each place of a word what the one tells that begins alike, and the one that ends alike."""
        begin, end = (self._hints(tuple(word), way) for way in (1, -1))
        return [(begin.get(place), end.get(place)) for place in range(len(word))]

    def alike(self, word: Sequence[str]) -> tuple[Alike | None, Alike | None]:
        """The known word that begins alike, and the one that ends alike."""
        return self._alike(tuple(word), 1), self._alike(tuple(word), -1)

    def _alike(self, word: tuple[str, ...], way: int) -> Alike | None:
        """The one with most symbols in common, from the beginning or, with `way` -1, from the end."""
        others = [
            Alike(in_common(word[::way], known[::way]), known, cut)
            for known, cut in self.words
            if known != word
        ]
        # Of several the shortest, and then the first.
        best = max(others, key=lambda other: (other.shared, -len(other.word)), default=None)
        return None if best is None or best.shared < FEWEST else best

    def _hints(self, word: tuple[str, ...], way: int) -> dict[int, Hint]:
        """What is told, by place."""
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
        """As arrays of a model file."""
        import numpy as np

        own = pack_sequences("known.source", [source for source, _ in self.pieces])
        own |= pack_sequences("known.target", [target for _, target in self.pieces])
        for name in ARRAYS:
            own[f"known.{name}"] = narrowed(np.array(getattr(self, name), np.uint32), np.uint8, np.uint16)
        return own

    @classmethod
    def restore(cls, arrays: Arrays) -> KnownWords:
        """Those of a model file."""
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
    """Of a million numbers this is most of what a model takes to load, unless the engine looks at them."""
    return not numbers or _core.largest(numbers) < count


def spelled(pieces: Iterable[Piece]) -> tuple[str, ...]:
    """The word that is cut like this."""
    return tuple(symbol for source, _ in pieces for symbol in source)


def in_common(a: Sequence[str], b: Sequence[str]) -> int:
    """How many symbols both begin with."""
    for n, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return n
    return min(len(a), len(b))
