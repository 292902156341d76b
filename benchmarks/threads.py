"""Two threads against one: decoding and training throughput, in one interleaved run.

`python benchmarks/threads.py [--rounds N]` prints a line of JSON for each measurement: the ratio of
wall-clock throughput, the median over rounds in which both take turns.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from structron import Parser, Tagger
from structron.fit import Learning
from structron.io import read, tree_of


def folder() -> Path:
    named = os.environ.get("STRUCTRON_DATA")
    return Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"


def interleaved(work: Callable[[int], None], rounds: int) -> dict[str, Any]:
    """Return the work with one thread and with two, in turns."""
    ratios, seconds = [], {1: [], 2: []}  # type: ignore[var-annotated]
    work(2)
    for _ in range(rounds):
        for threads in (1, 2):
            began = time.perf_counter()
            work(threads)
            seconds[threads].append(time.perf_counter() - began)
        ratios.append(seconds[1][-1] / seconds[2][-1])
    return {
        "ratio": round(statistics.median(ratios), 3),
        "least": round(min(ratios), 3),
        "greatest": round(max(ratios), 3),
        "seconds_one": round(statistics.median(seconds[1]), 3),
        "seconds_two": round(statistics.median(seconds[2]), 3),
        "load": os.getloadavg()[0],
    }


def measure(name: str, estimator: Any, X: Any, Y: Any, rounds: int, batch: int) -> None:
    """Measure prediction by a trained estimator, and an epoch of batches from its weights."""
    estimator.fit(X, Y)

    def predict(threads: int) -> None:
        estimator.threads = threads
        estimator.predict(X)

    print(json.dumps({"what": f"{name}, prediction"} | interleaved(predict, rounds)), flush=True)
    plan = estimator.plan(X, Y)
    learning, examples = Learning.start(plan.task, plan.recipe), plan.examples
    corpus = learning.pack(examples.xs, examples.ys, examples.place)
    live = learning.learner(corpus)
    order = np.arange(corpus.sentences, dtype=np.uint32)
    live.run(order, batch, 1)

    def train(threads: int) -> None:
        live.run(order, batch, threads)

    print(json.dumps({"what": f"{name}, training, batch {batch}"} | interleaved(train, rounds)), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sentences", type=int, default=1500)
    given = parser.parse_args()
    sentences = list(read(next(folder().rglob("en_ewt-ud-train.conllu*"))))[: given.sentences]
    words = [sentence.words() for sentence in sentences]
    tags = [sentence.column("upos") for sentence in sentences]
    trees = [tree_of(sentence) for sentence in sentences]
    measure("tagging, exact", Tagger(search="exact", epochs=1), words, tags, given.rounds, 16)
    pairs = list(zip(words, tags))
    gold = [(tree.heads, tree.labels) for tree in trees]
    settings = {"templates": "rich_tags", "learner": "perceptron:margin=20", "cut": 0, "epochs": 1}
    measure("parsing, beam:8", Parser(search="beam:8", **settings), pairs, gold, given.rounds, 16)


if __name__ == "__main__":
    main()
