"""What clustering text costs by its size: `python benchmarks/scale_text.py [MILLIONS ...]`.

The text is Wikipedia and books of the data folder. Where that is not enough it comes again, with noise: in
each round one word in eight, another one each time, is written in a way of its own. Each size is measured in
a process of its own: CPU time of cutting and counting, CPU time of clustering, the most memory.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from zlib import crc32

from corpora import folder

from structron.fit.clustering.clustering import clustered, counted
from structron.fit.raw_text.clusters import size_for
from structron.fit.raw_text.cutting import Cutter
from structron.fit.raw_text.lines import lines_of

CUTTER = Cutter("back", negation=True, dashes=True)  # as EWT cuts words


def sentences(words: int) -> Iterator[list[str]]:
    """Yield sentences of so many words."""
    for turn in count():
        for name in ("wikipedia", "books"):
            for sentence in CUTTER.sentences(lines_of(f"{folder()}/text/en/{name}.txt.xz")):
                yield noisy(sentence, turn) if turn else sentence
                words -= len(sentence)
                if words <= 0:
                    return


def noisy(sentence: list[str], turn: int) -> list[str]:
    """Return a sentence with some words written in another way."""
    return [f"{word}~{turn}" if (crc32(word.encode()) + turn) % 8 == 0 else word for word in sentence]


def measure(millions: float) -> None:
    """Print the row of one size."""
    begin = time.process_time()
    counter = counted(sentences(int(millions * 1e6)))
    seen, words = time.process_time(), counter.tokens
    size = size_for(words)
    found = clustered(counter, *size)
    end, memory = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"| {words / 1e6:,.0f} million | {size.classes} of {len(found):,} | {seen - begin:,.0f} s "
        f"| {1e6 * (seen - begin) / words:.2f} µs | {end - seen:,.0f} s | {memory:,.0f} MB |",
        flush=True,
    )


def main(sizes: list[str]) -> None:
    """Measure each size in a process of its own."""
    if len(sizes) == 1:
        measure(float(sizes[0]))
        return
    print(
        "| words | clusters | counting | a word | clustering | memory |\n|---|---|---|---|---|---|",
        flush=True,
    )
    for size in sizes or ["1", "10", "36", "100"]:
        subprocess.run([sys.executable, __file__, size], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
