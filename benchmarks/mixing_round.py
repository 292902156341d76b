"""What a round of mixing costs beyond training: time, and bytes that move.

    python benchmarks/mixing_round.py [--rows 5000000] [--workers 4] [--touched 0.05 0.15] [--rounds 5]
    python benchmarks/mixing_round.py --train [--workers 4] [--epochs 6]

The first makes a model of so many rows on a local Ray cluster, lets every worker change a share of them, and
measures from the moment when all have trained to the moment when all are ready to train again. The second
trains taggers on the Brown corpus in one process and tells which share of the rows a shard really changes in
an epoch. Both print lines of JSON; what they measured last is kept in results/mixing_round.json.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import report

from structron import _core
from structron.fit.schedules.shards import Mixture, Shard, ShardResult, mix, split

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "mixing_round.json"
ACTIONS = 20


class Holder:
    """A shard without data; its answers come with the CPU seconds they took."""

    def __init__(self, state: Any, number: int) -> None:
        self.weights = _core.Weights(ACTIONS)
        self.weights.restore(*state, 2)
        self.weights.mark()
        self.keys, self.begin = np.unique(state[0], return_index=True)
        self.actions, self.number = state[1], number

    def touch(self, share: float, seed: int) -> None:
        """Change two cells in so many of the rows, as training does; some cells, and some rows, are new.

        No two shards have seen as much.
        """
        rng = np.random.default_rng(seed)
        n = int(share * len(self.keys))
        rows = rng.permutation(len(self.keys))[:n]
        keys = np.concatenate([self.keys[rows], rng.integers(1, 2**63, n // 20).astype(np.uint64)])
        gold = rng.integers(0, ACTIONS, len(keys)).astype(np.uint32)
        gold[:n] = self.actions[self.begin[rows]]
        guess = (gold + rng.integers(1, ACTIONS, len(keys)).astype(np.uint32)) % ACTIONS
        for actions, change in ((gold, 1), (guess, -1)):
            self.weights.add_all(keys, actions, np.full(len(keys), change, np.float32))
        self.weights.clock += 1000 + self.number

    def finish(self) -> ShardResult:
        """Return what has changed."""
        began = time.process_time()
        counts = np.zeros(6, np.int64)
        found = self.weights.changes()
        return ShardResult(found, self.weights.clock, counts, time.process_time() - began)

    def take(self, mixture: Mixture) -> float:
        """Return what all have made of it."""
        began = time.process_time()
        self.weights.adopt(*mixture)
        self.weights.mark()
        return time.process_time() - began


def size(cells: Any) -> int:
    return sum(int(array.nbytes) for array in cells)


def state(rows: int) -> Any:
    """Return a model of so many rows, of 2.7 cells each as those of a tagger have."""
    rng = np.random.default_rng(0)
    keys = np.unique(rng.integers(1, 2**63, rows).astype(np.uint64))
    cells = np.minimum(rng.geometric(0.37, len(keys)), ACTIONS)
    spread, ends = np.repeat(keys, cells), np.cumsum(cells)
    first = rng.integers(0, ACTIONS, len(keys)) - (ends - cells)
    actions = (np.repeat(first, cells) + np.arange(len(spread))) % ACTIONS
    return (
        spread,
        actions.astype(np.uint32),
        rng.integers(1, 9, len(spread)).astype(np.float32),
        rng.integers(1, 9, len(spread)).astype(np.float64),
    )


def on_ray(rows: int, workers: int, touched: list[float], rounds: int) -> Iterator[dict[str, Any]]:
    """Yield rounds on a local cluster, one dict each."""
    from structron.fit import Cluster

    ray = Cluster("local", workers).connect()
    made = state(rows)
    common = _core.Weights(ACTIONS)
    common.restore(*made, 2)
    put = ray.put(made)
    holders = [ray.remote(num_cpus=1)(Holder).remote(put, n) for n in range(workers)]
    threads = os.cpu_count() or 1
    for seed, share in enumerate(share for share in touched for _ in range(rounds)):
        ray.get([holder.touch.remote(share, 100 * seed + i) for i, holder in enumerate(holders)])
        began, cpu = time.perf_counter(), time.process_time()
        parts = ray.get([holder.finish.remote() for holder in holders])
        given = time.perf_counter()
        mixture = mix(common, parts, "uniform", threads)
        mixed = time.perf_counter()
        sent = ray.put(mixture)
        told = time.perf_counter()
        taken = ray.get([holder.take.remote(sent) for holder in holders])
        ended, driver = time.perf_counter(), time.process_time() - cpu
        up, down, weights = sum(size(part.cells) for part in parts), size(mixture.cells), size(common.state())
        yield {
            "touched": share,
            "rows": common.features,
            "workers": workers,
            "seconds": round(ended - began, 3),
            "gathering": round(given - began, 3),
            "mixing": round(mixed - given, 3),
            "putting": round(told - mixed, 3),
            "taking": round(ended - told, 3),
            "driver_cpu_seconds": round(driver, 3),
            "worker_cpu_seconds": round(statistics.mean(part.seconds for part in parts), 3),
            "taking_cpu_seconds": round(statistics.mean(taken), 3),
            "up_mb": round(up / 1e6, 1),
            "down_mb": round(down / 1e6, 1),
            "weights_mb": round(weights / 1e6, 1),
            "moved_by_weights": round((up + down) / weights, 3),
            "moved_by_weights_apart": round((up + workers * down) / weights, 3),
            "load": os.getloadavg()[0],
        }
        del parts, mixture
    ray.shutdown()


def trained(workers: int, epochs: int) -> Iterator[dict[str, Any]]:
    """Yield epochs of real training in shards, one dict each."""
    sys.path.insert(0, str(HERE.parent / "experiments"))
    from corpora import load

    from structron import Tagger
    from structron.fit import Learning

    corpus = load("brown")
    tagger = Tagger(shards=workers, epochs=epochs)
    plan = tagger.plan([[token[0] for token in x] for x in corpus.train[0]], corpus.train[1])
    learning, examples = Learning.start(plan.task, plan.recipe), plan.examples
    packed = learning.pack(examples.xs, examples.ys)
    shards = []
    for _ in range(workers):
        weights = learning.weights.copy()
        shards.append(Shard(weights, learning.learner(packed, weights), 1))
    rng = np.random.default_rng(0)
    for epoch in range(epochs):
        order = np.arange(packed.sentences, dtype=np.uint32)
        rng.shuffle(order)
        before = learning.weights.state()
        rows_before = np.unique(before[0])
        for shard, own in zip(shards, split(order, learning.included, workers)):
            shard.run(own)
        times = [time.process_time()]
        parts = [shard.finish() for shard in shards]
        times.append(time.process_time())
        mixture = mix(learning.weights, parts, "uniform")
        times.append(time.process_time())
        for shard in shards:
            shard.take(mixture)
        times.append(time.process_time())
        after = learning.weights.state()
        rows = len(np.unique(after[0]))
        touched = [np.unique(part.cells[0]) for part in parts]
        union = np.unique(np.concatenate(touched))
        up, down = sum(size(part.cells) for part in parts), size(mixture.cells)
        yield {
            "epoch": epoch + 1,
            "workers": workers,
            "rows": rows,
            "new_rows": rows - len(rows_before),
            "cells": len(after[0]),
            "touched_by_a_shard": round(statistics.mean(map(len, touched)) / rows, 4),
            "touched_by_any": round(len(union) / rows, 4),
            "giving_cpu_seconds": round((times[1] - times[0]) / workers, 3),
            "mixing_cpu_seconds": round(times[2] - times[1], 3),
            "taking_cpu_seconds": round((times[3] - times[2]) / workers, 3),
            "up_mb": round(up / 1e6, 2),
            "down_mb": round(down / 1e6, 2),
            "weights_mb": round(size(after) / 1e6, 2),
            "moved_by_weights": round((up + down) / size(after), 3),
            "moved_by_weights_apart": round((up + workers * down) / size(after), 3),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--touched", type=float, nargs="+", default=[0.05, 0.15])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--epochs", type=int, default=6)
    given = parser.parse_args()
    found = []
    if given.train:
        lines = trained(given.workers, given.epochs)
    else:
        lines = on_ray(given.rows, given.workers, given.touched, given.rounds)
    for line in lines:
        print(json.dumps(line), flush=True)
        found.append(line)
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    kept["trained" if given.train else "on_ray"] = {"machine": report.machine(), "lines": found}
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
