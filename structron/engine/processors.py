"""The number of threads that can run at a time."""

from __future__ import annotations

import os
from functools import cache

from structron.errors import warn


def usable_processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


@cache
def useful_threads(threads: int) -> int:
    """Return the number of threads that can work at a time; warn once if it is smaller than asked.

    The engine starts no more than these, and what it finds does not depend on their number.
    """
    most = usable_processors()
    if threads > most:
        processors = "1 processor" if most == 1 else f"{most} processors"
        warn(f"{threads} threads: {processors} can be used, so no more than {most} will work; give {most}")
    return min(threads, most)
