"""64-bit feature keys: the same arithmetic as `core/hash.hpp`, in plain Python."""

from functools import lru_cache

MASK = (1 << 64) - 1
BOUNDARY = 0xB0A7DA12B0A7DA12  # the value of every atom beyond the sentence's ends


def combine(a: int, b: int) -> int:
    """Fold the value `b` into a running key `a`."""
    x = ((((a << 23) | (a >> 41)) & MASK) ^ b) * 0x9E3779B97F4A7C15 & MASK
    x ^= x >> 32
    x = x * 0xD6E8FEB86659FD93 & MASK
    return x ^ (x >> 32)


@lru_cache(1 << 16)
def hash_bytes(data: bytes) -> int:
    """Hash eight bytes at a time, little-endian, and the length last."""
    h = 0x5354525543545231
    whole = len(data) // 8 * 8
    for i in range(0, whole, 8):
        h = combine(h, int.from_bytes(data[i : i + 8], "little"))
    return combine(combine(h, int.from_bytes(data[whole:], "little")), len(data))


def fold(key: int, bits: int) -> int:
    """Limit keys to 2^bits if `bits` is not 0: memory stays bounded, and features may collide."""
    return combine(0x464F4C44, key & ((1 << bits) - 1)) if bits else key


def combine_tags(key: int, tags: int, t1: int, t2: int) -> int:
    """Fold previous tags into a key: bit 0 of `tags` asks for t[-1], bit 1 for t[-2]."""
    if tags & 1:
        key = combine(key, t1 + 1)
    if tags & 2:
        key = combine(key, (t2 + 1) << 32)
    return key


READY = 0x52454144594B4559  # what keys of features by name begin with


def named_key(name: str) -> int:
    """Return the key of a feature by name."""
    return combine(READY, hash_bytes(name.encode()))
