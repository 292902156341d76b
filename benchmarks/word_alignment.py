"""How good and how fast word alignment is: ``python benchmarks/word_alignment.py``, with ``$STRUCTRON_DATA``.

Aligns Europarl English-Spanish (train and dev together, without their gold links) and compares the links of
dev with the gold ones, for each way to make one alignment of two directions.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from structron.alignment.bitext import BitextAligner
from structron.alignment.symmetrisation import METHODS, Link
from structron.io.files import streams
from structron.io.formats.parallel_text import read_text
from structron.metrics.alignment_error import alignment_error


def gold(path: Path, pairs: int) -> list[set[Link]]:
    """Return links by pair: lines of pair, English and Spanish position, all from 1."""
    found: list[set[Link]] = [set() for _ in range(pairs)]
    with streams.reading(path) as lines:
        for line in lines:
            pair, english, spanish = map(int, line.split()[:3])
            found[pair - 1].add((english - 1, spanish - 1))
    return found


def main() -> None:
    """Measure and print."""
    folder = Path(os.environ["STRUCTRON_DATA"]) / "mt" / "europarl_enes_aligned"
    english, spanish = read_text(folder / "dev.en.gz"), read_text(folder / "dev.es.gz")
    expected = gold(folder / "dev.key.gz", len(english))
    english += read_text(folder / "train.en.gz")
    spanish += read_text(folder / "train.es.gz")
    for agree in (True, False):
        for method in METHODS:
            begun = time.process_time()
            links = BitextAligner(symmetrise=method, agree=agree).align(english, spanish)
            seconds = time.process_time() - begun
            found = alignment_error([links[i] for i in range(len(expected))], expected)
            how = "agreeing" if agree else "each for itself"
            print(
                f"{how}, {method}: AER {found.error_rate:.4f}, precision {found.precision:.3f}, "
                f"recall {found.recall:.3f}; {seconds:.1f} CPU s"
            )


if __name__ == "__main__":
    main()
