"""The examples of a shard as arrays of integers, which are sent once and stay in shared memory.

Every text is stored once; lists, tuples, numbers and dicts are codes in one array. Integers stay exact,
however large: keys of features have 64 bits, of which a float keeps 53. Arrays of numbers are sent as bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from structron.errors import DataError, SettingError
from structron.task import Supplied

# Codes from 0 are texts; these announce the next one or two codes.
_LIST, _TUPLE, _DICT, _INT, _FLOAT, _NONE, _FALSE, _TRUE, _LONG, _ARRAY = range(-1, -11, -1)


class Payload(NamedTuple):
    """Nested values: codes, the texts one after the other with their ends, and numbers that are not codes.

    `raw` contains the bytes of arrays, one after the other.
    """

    codes: npt.NDArray[np.int32]
    texts: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.float64]
    raw: npt.NDArray[np.uint8]


def pack(value: object) -> Payload:
    """Pack nested lists, tuples, dicts, texts, numbers and flat arrays of numbers."""
    codes: list[int] = []
    texts: dict[str, int] = {}
    numbers: list[float] = []
    raw: list[bytes] = []

    def text(one: str) -> int:
        return texts.setdefault(one, len(texts))

    def put(one: object) -> None:
        if isinstance(one, Supplied) and one.more:
            raise SettingError(
                "these examples come with more than inputs and outputs, which cannot be sent to other "
                "machines; train without a cluster"
            )
        if isinstance(one, str):
            codes.append(text(one))
        elif isinstance(one, Mapping):
            codes.extend((_DICT, len(one)))
            for name, inner in one.items():
                put(name)
                put(inner)
        elif isinstance(one, bool | np.bool_):
            codes.append(_TRUE if one else _FALSE)
        elif isinstance(one, Integral) and abs(int(one)) < 2**31:
            codes.extend((_INT, int(one)))
        elif isinstance(one, Integral):
            codes.extend((_LONG, text(str(int(one)))))
        elif isinstance(one, Real):
            codes.extend((_FLOAT, len(numbers)))
            numbers.append(float(one))
        elif one is None:
            codes.append(_NONE)
        elif isinstance(one, np.ndarray) and one.ndim == 1 and one.dtype.kind in "biuf":
            codes.extend((_ARRAY, text(one.dtype.str), len(one)))
            raw.append(one.tobytes())
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
        np.frombuffer(b"".join(raw), np.uint8),
    )


def unpack(payload: Payload) -> Any:  # whatever was packed
    """Unpack the values; other sequences than lists, tuples and arrays of numbers become lists."""
    blob, starts = payload.texts.tobytes(), [0, *payload.ends[:-1].tolist()]
    texts = [blob[a:b].decode("utf-8", "surrogatepass") for a, b in zip(starts, payload.ends.tolist())]
    numbers = payload.numbers.tolist()
    plain = {_NONE: None, _FALSE: False, _TRUE: True}
    raw, done = payload.raw.tobytes(), 0

    def array(kind: str, length: int) -> npt.NDArray[Any]:
        nonlocal done
        begin, done = done, done + length * np.dtype(kind).itemsize
        return np.frombuffer(raw[begin:done], kind)

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
        if code == _LONG:
            return int(texts[number])
        if code == _ARRAY:
            return array(texts[number], next(codes))
        if code == _DICT:
            return {take(codes): take(codes) for _ in range(number)}
        found = [take(codes) for _ in range(number)]
        return tuple(found) if code == _TUPLE else found

    return take(iter(payload.codes.tolist()))
