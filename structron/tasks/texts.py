"""Lists of texts as arrays of a model file: inventories, vocabularies and tables may be long.

Texts lie one after the other as UTF-8 with their lengths in bytes. Sequences of texts are numbers of the
different ones among them, with the lengths of the sequences. Nothing that is read is trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from structron.errors import ModelError
from structron.tasks.task import Arrays, array_of, narrowed

Stored = dict[str, npt.NDArray[Any]]
_NUMBERS = (np.uint32, np.uint16, np.uint8)


def pack_texts(name: str, texts: Iterable[str]) -> Stored:
    """Arrays ``name.utf8`` and ``name.lengths``; a text with half of a surrogate pair is refused."""
    encoded = [text.encode() for text in texts]
    return {
        f"{name}.utf8": np.frombuffer(b"".join(encoded), np.uint8),
        f"{name}.lengths": _narrow([len(text) for text in encoded]),
    }


def unpack_texts(arrays: Arrays, name: str) -> list[str]:
    """What was given to `pack_texts`."""
    data = array_of(arrays, f"{name}.utf8", np.uint8).tobytes()
    ends = _ends(arrays, name, len(data))
    try:
        return [data[begin:end].decode() for begin, end in zip([0, *ends], ends)]
    except UnicodeDecodeError:
        raise ModelError(f"its {name} are not UTF-8") from None


def pack_sequences(name: str, sequences: Sequence[Sequence[str]]) -> Stored:
    """The arrays of `pack_texts` for all different texts, and ``name.numbers`` with ``name.lengths``."""
    known = sorted(set(chain.from_iterable(sequences)))
    number = {text: i for i, text in enumerate(known)}
    return pack_texts(f"{name}.texts", known) | {
        f"{name}.numbers": _narrow([number[text] for text in chain.from_iterable(sequences)]),
        f"{name}.lengths": _narrow([len(sequence) for sequence in sequences]),
    }


def unpack_sequences(arrays: Arrays, name: str) -> list[tuple[str, ...]]:
    """What was given to `pack_sequences`, as tuples."""
    known = unpack_texts(arrays, f"{name}.texts")
    numbers = array_of(arrays, f"{name}.numbers", *_NUMBERS)
    if len(numbers) and int(numbers.max()) >= len(known):
        raise ModelError(f"its {name} have texts that are not there")
    ends = _ends(arrays, name, len(numbers))
    spelled = [known[number] for number in numbers.tolist()]
    return [tuple(spelled[begin:end]) for begin, end in zip([0, *ends], ends)]


def _narrow(values: list[int]) -> npt.NDArray[Any]:
    return narrowed(np.array(values, np.uint32), np.uint8, np.uint16)


def _ends(arrays: Arrays, name: str, size: int) -> list[int]:
    """Where each piece ends; together they must be all there is."""
    lengths = array_of(arrays, f"{name}.lengths", *_NUMBERS)
    ends: list[int] = np.cumsum(lengths, dtype=np.int64).tolist()
    if (ends[-1] if ends else 0) != size:
        raise ModelError(f"the lengths of its {name} do not fit")
    return ends
