"""Training data in stretches: a token is known to the texts of one if another has it.

This is how the tokens of new texts are known. What is new in an article comes several times in it, so that
counting single tokens would tell too much.
"""

from __future__ import annotations

from collections.abc import Iterator

STRETCHES = 20


def stretches(examples: int) -> Iterator[slice]:
    """Which of so many examples are in each stretch."""
    for k in range(STRETCHES):
        yield slice(k * examples // STRETCHES, (k + 1) * examples // STRETCHES)
