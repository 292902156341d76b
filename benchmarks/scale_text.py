"""What clustering text costs by its size: `python benchmarks/scale_text.py [MILLIONS ...]`.

The text is Wikipedia and books of the data folder. Where that is not enough it comes again, with noise: in
each round one word in eight, another one each time, is written in a way of its own. Each size is measured in
a process of its own: CPU time of cutting and counting, CPU time of clustering, the most memory.

`--lines FILE 36 100 1000` counts a text of one sentence a line, as `structron cluster` reads it, again and
again with noise, and prints a row at each of these millions of words; then it clusters what was counted.
The file is written if it is not there: Wikipedia and books, cut into words.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from zlib import crc32

from corpora import folder

from structron import _core
from structron.cli.files.raw_sentences import Source, words_of
from structron.fit.clustering.clustering import BLOCK, clustered, counted
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
    end, memory = time.process_time(), peak()
    print(
        f"| {words / 1e6:,.0f} million | {size.classes} of {len(found):,} | {seen - begin:,.0f} s "
        f"| {1e6 * (seen - begin) / words:.2f} µs | {end - seen:,.0f} s | {memory:,.0f} MB |",
        flush=True,
    )


def with_noise(words: list[str], turn: int, number: int) -> list[str]:
    """Write one word in eight of a sentence in another way."""
    at = number % 8
    words[at::8] = [f"{word}~{turn}" for word in words[at::8]]
    return words


def count_lines(file: str, marks: list[float]) -> None:
    """Count a text again and again, and print a row at each size; then cluster."""
    if not Path(file).exists():
        with Path(file).open("w", encoding="utf-8") as out:
            out.writelines(" ".join(sentence) + "\n" for sentence in sentences(36_000_000))
    counter = _core.BigramCounter()
    left, number, before = [int(mark * 1e6) for mark in sorted(marks)], 0, (0, 0.0)
    for turn in count():
        for line in Source([file]).lines():
            words = words_of(line)
            counter.add(with_noise(words, turn, number) if turn else words)
            number += 1
            if number % BLOCK == 0:
                counter.settle()
            if counter.tokens >= left[0]:
                before = told(counter, before)
                left.pop(0)
                if not left:
                    break
        if not left:
            break
    begin, size = time.process_time(), size_for(counter.tokens)
    found = clustered(counter, *size)
    spent = time.process_time() - begin
    print(f"clusters: {size.classes} of {len(found):,} words, {spent:,.0f} s, {peak():,.0f} MB", flush=True)


def told(counter: _core.BigramCounter, before: tuple[int, float]) -> tuple[int, float]:
    """Print what the words since the last row took."""
    words, spent = counter.tokens, time.process_time()
    cost = 1e6 * (spent - before[1]) / (words - before[0])
    print(f"| {words / 1e6:,.0f} million | {spent:,.0f} s | {cost:.2f} µs | {peak():,.0f} MB |", flush=True)
    return words, spent


def peak() -> float:
    """Return the most memory that this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure each size in a process of its own, or all of them in one."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("millions", nargs="*", type=float, default=[1, 10, 36, 100])
    options.add_argument("--lines", metavar="FILE")
    asked = options.parse_args()
    if asked.lines:
        count_lines(asked.lines, asked.millions)
        return
    if len(asked.millions) == 1:
        measure(asked.millions[0])
        return
    print(
        "| words | clusters | counting | a word | clustering | memory |\n|---|---|---|---|---|---|",
        flush=True,
    )
    for size in asked.millions:
        subprocess.run([sys.executable, __file__, f"{size:g}"], check=True)


if __name__ == "__main__":
    main()
