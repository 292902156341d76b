"""The examples of a shard as arrays of integers, which are sent once and lie in shared memory.

Every text is stored once; lists, tuples, numbers and dicts of them are codes in one array.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from structron.errors import DataError, SettingError
from structron.tasks.task import Supplied

# Codes from 0 are texts; these say what the next one or two codes mean.
_LIST, _TUPLE, _DICT, _INT, _FLOAT, _NONE, _FALSE, _TRUE = range(-1, -9, -1)


class Payload(NamedTuple):
    """Nested values: codes, the texts one after the other with their ends, numbers that are no codes."""

    codes: npt.NDArray[np.int32]
    texts: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.float64]


def pack(value: object) -> Payload:
    """Lists, tuples, dicts, texts and numbers, however nested, as arrays."""
    codes: list[int] = []
    texts: dict[str, int] = {}
    numbers: list[float] = []

    def put(one: object) -> None:
        if isinstance(one, Supplied) and one.more:
            raise SettingError(
                "these examples come with more than inputs and outputs, which cannot be sent to other "
                "machines; train without a cluster"
            )
        if isinstance(one, str):
            codes.append(texts.setdefault(one, len(texts)))
        elif isinstance(one, Mapping):
            codes.extend((_DICT, len(one)))
            for name, inner in one.items():
                put(name)
                put(inner)
        elif isinstance(one, bool | np.bool_):
            codes.append(_TRUE if one else _FALSE)
        elif isinstance(one, Integral) and abs(int(one)) < 2**31:
            codes.extend((_INT, int(one)))
        elif isinstance(one, Real):
            codes.extend((_FLOAT, len(numbers)))
            numbers.append(float(one))
        elif one is None:
            codes.append(_NONE)
        elif isinstance(one, Sequence | np.ndarray):
            codes.extend((_TUPLE if isinstance(one, tuple) else _LIST, len(one)))
            for inner in one:
                put(inner)
        else:
            raise DataError(f"a {type(one).__name__} cannot be sent to other machines; give lists and texts")

    put(value)
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    return Payload(
        np.array(codes, np.int32),
        np.frombuffer(b"".join(encoded), np.uint8),
        np.cumsum([len(text) for text in encoded], dtype=np.int64),
        np.array(numbers, np.float64),
    )


def unpack(payload: Payload) -> Any:  # whatever was packed
    """What was packed; sequences that were neither list nor tuple are lists now."""
    blob, starts = payload.texts.tobytes(), [0, *payload.ends[:-1].tolist()]
    texts = [blob[a:b].decode("utf-8", "surrogatepass") for a, b in zip(starts, payload.ends.tolist())]
    numbers = payload.numbers.tolist()
    plain = {_NONE: None, _FALSE: False, _TRUE: True}

    def take(codes: Iterator[int]) -> object:
        code = next(codes)
        if code >= 0:
            return texts[code]
        if code in plain:
            return plain[code]
        number = next(codes)
        if code == _INT:
            return number
        if code == _FLOAT:
            return numbers[number]
        if code == _DICT:
            return {take(codes): take(codes) for _ in range(number)}
        found = [take(codes) for _ in range(number)]
        return tuple(found) if code == _TUPLE else found

    return take(iter(payload.codes.tolist()))
