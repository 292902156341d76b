"""A column of texts to a column of structs, against `nlp.pipe` on the same texts, in one interleaved run.

`python -m benchmarks.columns [--model en] [--rounds N] [--threads N]` prints a line of JSON: words a
CPU second of each, and the median of their ratios. The texts are the paragraphs of EWT's development set.
What `pipe` yields is not looked at, so that no word is made there.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable

import pyarrow as pa

import structron
from benchmarks.threads import folder
from structron.adapters.arrow import annotate
from structron.io import read
from structron.segments.passages import passages


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="en")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    nlp = structron.load(given.model)
    nlp.threads = given.threads
    whole = [passage.text for passage in passages(read(next(folder().rglob("en_ewt-ud-dev.conllu*"))))]
    texts = [text for one in whole for text in one.split("\n\n")]
    column = pa.array(texts)
    words = sum(len(row["words"]) for row in annotate(nlp, column).to_pylist())
    pipes, columns = [], []
    for _ in range(given.rounds):
        pipes.append(seconds(lambda: [None for _ in nlp.pipe(texts)]))
        columns.append(seconds(lambda: annotate(nlp, column)))
    ratios = [one / other for one, other in zip(pipes, columns)]
    said = {
        "texts": len(texts),
        "words": words,
        "pipe": round(words / statistics.median(pipes)),
        "column": round(words / statistics.median(columns)),
        "ratio": round(statistics.median(ratios), 3),
        "least": round(min(ratios), 3),
        "greatest": round(max(ratios), 3),
        "threads": given.threads,
        "load": os.getloadavg()[0],
    }
    print(json.dumps(said))


if __name__ == "__main__":
    main()
