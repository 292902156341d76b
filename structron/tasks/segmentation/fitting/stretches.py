"""Stretches of the training data: a token is known to the texts of one stretch if another has it.

This is how the tokens of new texts are known. A new word often occurs several times in an article, so that
counts of single tokens would be misleading.
"""

from __future__ import annotations

from collections.abc import Iterator

STRETCHES = 20


def stretches(examples: int) -> Iterator[slice]:
    """Yield the examples of each stretch as a slice."""
    for k in range(STRETCHES):
        yield slice(k * examples // STRETCHES, (k + 1) * examples // STRETCHES)
