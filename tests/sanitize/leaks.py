"""Memory that is never given back: the same work, done again and again, must not need more and more of it.

LeakSanitizer looks at what is left when the process ends, and Python leaves much. So the allocator is asked
between rounds: small models of every kind are trained, saved, loaded and used, wrong files are refused.
"""

from __future__ import annotations

import ctypes
import gc
import tempfile
from pathlib import Path

from tests.fuzz import subjects, unfinished
from tests.fuzz.corpora import Corpora
from tests.fuzz.harness import Campaign, generator
from tests.fuzz.models import Models

WARM, ROUNDS, INPUTS = 2, 4, 150
MOST = 20_000  # bytes a round; a single block lost with every input would be more


def allocated() -> int:
    """Bytes in use."""
    gc.collect()
    ask = ctypes.CDLL(None).__sanitizer_get_current_allocated_bytes
    ask.restype = ctypes.c_size_t
    return int(ask())


def once(folder: Path, campaigns: list[Campaign]) -> None:
    """One round."""
    subjects.models(folder)
    unfinished.checkpoints(folder)
    for campaign in campaigns:
        for number in range(INPUTS):
            data, suffix, chosen = campaign.input(generator(0, number))
            path = folder / f"input{suffix}"
            path.write_bytes(data)
            campaign.attempt(path, chosen)
            path.unlink(missing_ok=True)


def main() -> int:
    """Whether it grows: 0 if not."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        campaigns: list[Campaign] = [Models(folder), Corpora(folder)]
        for _ in range(WARM):
            once(folder, campaigns)
        before = allocated()
        for _ in range(ROUNDS):
            once(folder, campaigns)
        grown = (allocated() - before) / ROUNDS
    print(f"leaks: {before:,} bytes in use after {WARM} rounds; {grown:,.0f} more with every further one")
    return 0 if grown < MOST else 1


if __name__ == "__main__":
    raise SystemExit(main())
