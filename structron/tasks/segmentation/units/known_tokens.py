"""Known tokens: a dictionary of the tokens of several units in training data, stored as keys of their
beginnings.

A word of three digits describes each unit: the number of units in the longest known token that begins with
it, the same for tokens that end with it (0 for none, at most 9), and whether it is inside of one.

A training token is always among those of the training data, but one of new text often is not. So during
training a model sees only tokens that occur twice: each of them would be known without this one occurrence.
Afterwards all are known. If words are built or characters get labels, this applies to the words of each text
itself (`Own`); other strings of the text are known as they would be in new text.
`core/tasks/segmentation/known_tokens.hpp` is the engine's twin.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from structron.engine.rows import Arrays, keys_of, view_of
from structron.errors import ModelError
from structron.features.keys import combine, hash_bytes
from structron.segments.units import Unit, spelled, word

if TYPE_CHECKING:
    import numpy.typing as npt

START, BLANK = 0x4B4E4F574E544F4B, 0x20
LONGEST = 9
OFTEN = 255  # larger counts are equal
MOST_UNITS = 32  # of a known token

Own = Mapping[tuple[int, int], int]
"""The tokens of a training text by begin and number of units, with the sightings to subtract, since this
text is one of them."""


class KnownTokens(NamedTuple):
    """Keys of runs of units in increasing order, and how often each was a token; 0 for a beginning."""

    keys: array[int]
    whole: bytes

    @classmethod
    def empty(cls) -> KnownTokens:
        """Return an empty dictionary."""
        return cls(array("Q"), b"")

    @classmethod
    def observed(cls, tokens: Iterable[tuple[str, Sequence[Unit]]]) -> KnownTokens:
        """Collect tokens of two units or more; each comes with its text and its units."""
        times: Counter[tuple[str, ...]] = Counter()
        for text, units in tokens:
            if 1 < len(units) <= MOST_UNITS:
                # A blank between two units belongs to the second.
                first, *others = units
                times[(spelled(text, first), *(word(text, unit) for unit in others))] += 1
        found: dict[int, int] = {}
        for words, count in times.items():
            *beginnings, whole = _keys(words)
            for key in beginnings:
                found.setdefault(key, 0)
            found[whole] = min(count, OFTEN)
        order = sorted(found)
        return cls(array("Q", order), bytes(found[key] for key in order))

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a model file; none for an empty dictionary."""
        import numpy as np

        if not len(self.keys):
            return {}
        return {"known.keys": np.asarray(self.keys), "known.whole": np.frombuffer(self.whole, np.uint8)}

    @classmethod
    def restore(cls, arrays: Arrays) -> KnownTokens:
        """Restore the dictionary of a model file."""
        if "known.keys" not in arrays:
            return cls.empty()
        found = cls(keys_of(arrays, "known.keys"), view_of(arrays, "known.whole", "U8").tobytes())
        if len(found.keys) != len(found.whole):
            raise ModelError("its known tokens do not fit together")
        return found

    def seen(self, at_least: int) -> KnownTokens:
        """Keep only tokens that were seen so often."""
        return self._replace(whole=bytes(times >= max(at_least, 1) for times in self.whole))


def _keys(words: Sequence[str]) -> list[int]:
    """Return the keys of the first unit, of the first two, and so on."""
    keys, key = [], START
    for each in words:
        value = hash_bytes(each.removeprefix(" ").encode())
        key = combine(key, value ^ BLANK if each[0] == " " else value)
        keys.append(key)
    return keys


def known_in(
    known: KnownTokens, values: Sequence[int], symbols: Sequence[int], own: Own
) -> Iterator[tuple[int, int, int]]:
    """Find the known tokens of a text: begin, number of units, and sightings.

    Parameters
    ----------
    values, symbols
        The hashes of the units, without and with the blank before each.
    """
    runs = dict(zip(known.keys, known.whole))
    for begin, value in enumerate(values):
        key = combine(START, value)
        for end in range(begin + 1, len(values)):
            if key not in runs:
                break
            key = combine(key, symbols[end])
            length = end + 1 - begin
            times = runs.get(key, 0) - own.get((begin, length), 0)
            if times > 0:
                yield begin, length, times


def look_up(
    known: KnownTokens, text: str, units: Sequence[Unit], own: Own = MappingProxyType({})
) -> list[str]:
    """Return the three digits of each unit."""
    values = [hash_bytes(spelled(text, unit).encode()) for unit in units]
    symbols = [value ^ BLANK if unit.white else value for value, unit in zip(values, units)]
    begins, ends, inside = [0] * len(units), [0] * len(units), [0] * len(units)
    for begin, length, _ in known_in(known, values, symbols, own):
        last = begin + length - 1
        begins[begin] = length
        ends[last] = max(ends[last], length)
        inside[begin + 1 : last] = [1] * (length - 2)
    return [f"{min(b, LONGEST)}{min(e, LONGEST)}{m}" for b, e, m in zip(begins, ends, inside)]
