"""The progress of `predict`: the share of all input that has been read."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence

from structron.progress import current_listener, progress_to


@contextlib.contextmanager
def portion_told(places: Sequence[str], output: str) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of bytes that were read.

    It is told if all inputs are files, whose size is known; but not where the output goes to a terminal and
    would run into it. What is done with the bytes meanwhile is part of that, and told to nobody.
    """
    total = 0 if output == "-" and sys.stdout.isatty() else _size(places)
    name = f"predicting {places[0] if len(places) == 1 else f'{len(places)} files'}"
    told, done = current_listener(), 0

    def read(count: int) -> None:
        nonlocal done
        done += count
        if total:
            told(name, min(done, total), total)

    with progress_to(None):
        yield read


def _size(places: Sequence[str]) -> int:
    """Return the bytes of all files together; 0 if one is a pipe or missing."""
    total = 0
    for place in places:
        try:
            found = os.fstat(0) if place == "-" else os.stat(place)  # noqa: PTH116
        except (OSError, ValueError):
            return 0
        if not stat.S_ISREG(found.st_mode):
            return 0
        total += found.st_size
    return total
