"""Numbers with the things they count."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

LONGEST_LIST = 800  # characters; a thousand labels would hide all else


def noun(count: int, things: str) -> str:
    """Return ``label`` for one and ``labels`` otherwise; of several words the first changes."""
    first, blank, rest = things.partition(" ")
    return f"{first.removesuffix('s') if count == 1 else first}{blank}{rest}"


def counted(count: int, things: str) -> str:
    """Return ``1 label``, ``2,000 labels``, ``1 pair not aligned``."""
    return f"{count:,} {noun(count, things)}"


def counted_names(names: Sequence[str]) -> str:
    """Return how many names there are, and the first of them.

    >>> counted_names(["ADJ", "ADV"])
    '2: ADJ ADV'
    """
    return f"{len(names):,}: {first_names(names)}"


def first_names(names: Sequence[str], between: str = " ") -> str:
    """Return as many names as fit, and how many more there are."""
    lengths = accumulate(len(name) + len(between) for name in names)
    shown = [name for name, length in zip(names, lengths) if length <= LONGEST_LIST]
    more = len(names) - len(shown)
    return between.join(shown) + (f" … and {more:,} more, which --json tells" if more else "")


def size(count: int) -> str:
    """Return a number of bytes in readable units."""
    if count < 1000:
        return counted(count, "bytes")
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
