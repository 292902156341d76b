"""Small changes to values, arrays and bytes, of the kinds that break what trusts its input."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

NUMBERS = (
    0, 1, -1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 127, 128, 255, 256, 32767, 32768, 65534, 65535, 65536, 10**6,
    2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**31), -(2**63), 10**30,
)  # fmt: skip
FLOATS = (0.0, -0.0, 0.5, -1.5, 1e-40, 1e30, -1e30, 1e38, 1e308, 5e-324)
WORDS = (
    "", " ", "_", "-", "0", "1", "-1", "99999999999999999999", "nan", "a", "O", "B-X", "I-X", "E-X", "S-X",
    "é", "e\u0301", "\xa0", "\u2028", "\ufeff", "\x00", "\ud800", "\U0001f600", "\u0130", "ß", "/", "\\",
    "|", "}", ":", "*", "+", "=", "#", "1-2", "1.1", "root", "shift", "left:root", "exact", "greedy",
    "beam:4", "beam:1", "beam:999999999", "dp:4", "beam:8+merge+within=0", "tagging", "parsing",
    "transduction", "checkpoint", "w[0]", "w[-999]", "suffix(99)[0]", "t[-1]", "t[-2] t[-1]", "s0.w",
    "q9.t", "s[0]", "a[-1]", "bias", "swap", "arc-eager", "graph", "classification", "translation",
    "semantics", "segmentation", "lemmatisation", "pipeline", "hiero", "phrases", "words", "joint", "forest",
    "forest:2", "forest:3+swaps", "mst", "beam:3+merge+by_class", "word(1)", "char(16)", "count+idf+l2",
    "rule", "ngram(3)", "p w", "p bare", "f(x)", "prefix", "upos", "xpos", "feats", "lemma", "parser",
    "segmenter", "x" * 300,
)  # fmt: skip
KINDS = ("?", "i1", "u1", "<i2", "<u2", "<f2", "<i4", "<u4", "<f4", "<i8", "<u8", "<f8")


def any_value(rng: random.Random, depth: int = 0) -> Any:
    """A value that JSON can hold, seldom a sensible one."""
    kind = rng.randrange(9 if depth < 2 else 6)
    if kind < 2:
        return rng.choice(NUMBERS)
    if kind == 2:
        return rng.choice(FLOATS)
    if kind == 3:
        return rng.choice(WORDS)
    if kind == 4:
        return None
    if kind == 5:
        return rng.random() < 0.5
    if kind == 6:
        return [any_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == 7:
        return {rng.choice(WORDS): any_value(rng, depth + 1) for _ in range(rng.randrange(3))}
    return [any_value(rng, depth + 1)] * rng.choice((0, 1, 2, 70, 700))


def change_value(rng: random.Random, value: Any) -> Any:
    """The same value, a little different."""
    if isinstance(value, bool) or value is None or rng.random() < 0.2:
        return any_value(rng)
    if isinstance(value, int):
        return rng.choice((value + 1, value - 1, -value, value * 2, value * 65536, rng.choice(NUMBERS)))
    if isinstance(value, float):
        return rng.choice((-value, value * 1e30, int(max(min(value, 1e300), -1e300)), rng.choice(FLOATS)))
    if isinstance(value, str):
        at = rng.randrange(len(value) + 1)
        return rng.choice((
            value[:at], value[at:], value[:at] + rng.choice(WORDS) + value[at:], value + value, value.upper(),
            value[:at] + value[at + 1 :], rng.choice(WORDS),
        ))  # fmt: skip
    return any_value(rng)


def change_inside(rng: random.Random, value: Any, donors: list[Any]) -> Any:
    """A copy with one change somewhere inside; `donors` are trees whose branches may be grafted in."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        copy = dict(value)
        key = rng.choice(list(copy))
        what = rng.randrange(12)
        if what == 0:
            del copy[key]
        elif what == 1:
            copy[rng.choice(WORDS)] = copy.pop(key)
        elif what == 2:
            copy[rng.choice(WORDS)] = any_value(rng)
        elif what == 3:
            other = rng.choice(donors)
            if isinstance(other, dict) and other:
                name = rng.choice(list(other))
                copy[rng.choice((key, name))] = other[name]
        else:
            copy[key] = change_inside(rng, copy[key], donors)
        return copy
    if isinstance(value, list) and value and rng.random() < 0.85:
        items = list(value)
        at = rng.randrange(len(items))
        what = rng.randrange(12)
        if what == 0:
            del items[at]
        elif what == 1:
            items.insert(rng.randrange(len(items) + 1), items[at])
        elif what == 2:
            other_at = rng.randrange(len(items))
            items[at], items[other_at] = items[other_at], items[at]
        elif what == 3:
            items = items[: rng.randrange(len(items) + 1)]
        elif what == 4:
            items = items * rng.choice((2, 3, 50))
        else:
            items[at] = change_inside(rng, items[at], donors)
        return items
    return change_value(rng, value)


def change_array(rng: random.Random, array: Array) -> Array:
    """The array with other values, the same in another order, another length, type or shape."""
    what = rng.randrange(11)
    n = array.size
    if what > 8 and n:
        copy = array.reshape(-1).copy()
        if what == 9 and copy.dtype.kind == "f":
            return (copy * copy.dtype.type(rng.choice((-1, 0, 0.5, 3)))).reshape(array.shape)
        at, to = sorted((rng.randrange(n), rng.randrange(n)))
        copy[at : to + 1] = copy[at : to + 1][::-1]
        return copy.reshape(array.shape)
    if what < 4 and n:
        copy = array.copy()
        flat = copy.reshape(-1)
        places = [rng.randrange(n) for _ in range(rng.choice((1, 1, 2, 8)))]
        if what == 0:
            extremes = _extremes(copy.dtype)
            for at in places:
                flat[at] = rng.choice(extremes)
        elif what == 1:
            for at in places:
                flat[at] = flat[rng.randrange(n)]
        elif what == 2:
            raw = flat.view(np.uint8)
            for _ in places:
                raw[rng.randrange(raw.size)] ^= 1 << rng.randrange(8)
        else:
            flat[:] = rng.choice(_extremes(copy.dtype))
        return copy
    if what == 4:
        return array.reshape(-1)[: rng.randrange(n + 1)]
    if what == 5:
        return np.concatenate([array.reshape(-1), array.reshape(-1)[: rng.choice((1, 2, n))]])
    if what == 6:
        with np.errstate(all="ignore"):
            return array.astype(rng.choice(KINDS))
    if what == 7:
        alone = array.reshape(-1)[:1].reshape(()) if n else array
        return rng.choice((array.reshape(1, -1), array.reshape(-1, 1), alone))
    kind = np.dtype(rng.choice(KINDS))
    whole = array.reshape(-1).view(np.uint8)
    return whole[: whole.size // kind.itemsize * kind.itemsize].copy().view(kind)


def _extremes(dtype: np.dtype[Any]) -> list[Any]:
    if dtype.kind == "f":
        top = float(np.finfo(dtype).max)
        return [0.0, -0.0, np.nan, np.inf, -np.inf, top, -top, float(np.finfo(dtype).tiny), 1.0]
    if dtype.kind == "b":
        return [False, True]
    info = np.iinfo(dtype)
    return [0, 1, info.min, info.max, info.max - 1, info.max // 2, info.max // 2 + 1]


def change_bytes(rng: random.Random, data: bytes, snippets: tuple[bytes, ...] = ()) -> bytes:
    """Bytes flipped, cut out, put in, doubled or moved."""
    copy = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        n = len(copy)
        at = rng.randrange(n + 1)
        what = rng.randrange(9)
        if what < 3 and at < n:
            copy[at] = copy[at] ^ (1 << rng.randrange(8)) if what else rng.randrange(256)
        elif what == 3:
            del copy[at : at + rng.choice((1, 2, 8, 100))]
        elif what == 4:
            copy[at:at] = rng.randbytes(rng.choice((1, 1, 4, 64)))
        elif what == 5 and snippets:
            copy[at:at] = rng.choice(snippets)
        elif what == 6:
            piece = copy[at : at + rng.choice((1, 8, 64, 512))]
            to = rng.randrange(n + 1)
            copy[to:to] = piece
        elif what == 7:
            fill = rng.choice((b"\0", b"\xff", b"\x7f")) * rng.choice((1, 2, 4, 8))
            copy[at : at + rng.choice((1, 2, 4, 8))] = fill
        elif what == 8 and rng.random() < 0.3:
            del copy[at:]
    return bytes(copy)
