"""Lists of texts as arrays of a model file: inventories, vocabularies and tables may be long.

Texts lie one after the other as UTF-8 with their lengths in bytes. Sequences of texts are numbers of the
different ones among them, with the lengths of the sequences. Nothing that is read is trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, TypeAlias

from structron.engine.rows import Arrays, narrowed, numbers_of, view_of
from structron.errors import ModelError

if TYPE_CHECKING:
    import numpy.typing as npt

Stored: TypeAlias = "dict[str, npt.NDArray[Any]]"


def pack_texts(name: str, texts: Iterable[str]) -> Stored:
    """Return arrays ``name.utf8`` and ``name.lengths``; refuse a text with half of a surrogate pair."""
    import numpy as np

    encoded = [text.encode() for text in texts]
    return {
        f"{name}.utf8": np.frombuffer(b"".join(encoded), np.uint8),
        f"{name}.lengths": _narrow([len(text) for text in encoded]),
    }


def unpack_texts(arrays: Arrays, name: str) -> list[str]:
    """Reverse `pack_texts`."""
    data = view_of(arrays, f"{name}.utf8", "U8").tobytes()
    ends = _ends(arrays, name, len(data))
    try:
        return [data[begin:end].decode() for begin, end in zip([0, *ends], ends)]
    except UnicodeDecodeError:
        raise ModelError(f"its {name} are not UTF-8") from None


def pack_sequences(name: str, sequences: Sequence[Sequence[str]]) -> Stored:
    """Return the arrays of `pack_texts` for all different texts, with ``name.numbers``."""
    known = sorted(set(chain.from_iterable(sequences)))
    number = {text: i for i, text in enumerate(known)}
    return pack_texts(f"{name}.texts", known) | {
        f"{name}.numbers": _narrow([number[text] for text in chain.from_iterable(sequences)]),
        f"{name}.lengths": _narrow([len(sequence) for sequence in sequences]),
    }


def unpack_sequences(arrays: Arrays, name: str) -> list[tuple[str, ...]]:
    """Reverse `pack_sequences`; return tuples."""
    known = unpack_texts(arrays, f"{name}.texts")
    numbers = numbers_of(arrays, f"{name}.numbers")
    if max(numbers, default=-1) >= len(known):
        raise ModelError(f"its {name} have texts that are not there")
    ends = _ends(arrays, name, len(numbers))
    spelled = [known[number] for number in numbers]
    return [tuple(spelled[begin:end]) for begin, end in zip([0, *ends], ends)]


def _narrow(values: list[int]) -> npt.NDArray[Any]:
    import numpy as np

    return narrowed(np.array(values, np.uint32), np.uint8, np.uint16)


def _ends(arrays: Arrays, name: str, size: int) -> list[int]:
    """Return the end of each piece; refuse lengths that do not add up to the size."""
    ends = list(accumulate(numbers_of(arrays, f"{name}.lengths")))
    if (ends[-1] if ends else 0) != size:
        raise ModelError(f"the lengths of its {name} do not fit")
    return ends
