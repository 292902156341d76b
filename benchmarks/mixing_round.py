"""What a round of mixing costs beyond training, on a local Ray cluster: time, and bytes that move.

`python benchmarks/mixing_round.py [--rows 5000000] [--workers 4] [--touched 0.05]` makes a model of so many
rows, lets every worker change a share of them, and measures from the moment when all have trained to the
moment when all are ready to train again. One line of JSON a round.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from typing import Any

import numpy as np

from structron import _core
from structron.training import Cluster
from structron.training.mixing import Given, Mixture, mix

ACTIONS = 20


class Holder:
    """A shard without data."""

    def __init__(self, state: Any) -> None:
        self.weights = _core.Weights(ACTIONS)
        self.weights.restore(*state, 2)
        self.weights.mark()
        self.keys = state[0]

    def touch(self, share: float, seed: int) -> None:
        """Change so many of the rows, and make a few new ones."""
        rng = np.random.default_rng(seed)
        n = int(share * len(self.keys))
        keys = np.concatenate([rng.choice(self.keys, n), rng.integers(1, 2**63, n // 20).astype(np.uint64)])
        actions = rng.integers(0, ACTIONS, len(keys)).astype(np.uint32)
        self.weights.add_all(keys, actions, np.ones(len(keys), np.float32))
        self.weights.clock += 1000

    def give(self) -> Given:
        counts = np.zeros(6, np.int64)
        return Given(self.weights.changes(), self.weights.clock, counts)

    def take(self, mixture: Mixture) -> None:
        self.weights.adopt(*mixture)
        self.weights.mark()


def size(cells: Any) -> int:
    return sum(int(array.nbytes) for array in cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--touched", type=float, default=0.05)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    ray = Cluster("local", given.workers).connect()
    rng = np.random.default_rng(0)
    keys = np.unique(rng.integers(1, 2**63, given.rows).astype(np.uint64))
    state = (
        keys,
        rng.integers(0, ACTIONS, len(keys)).astype(np.uint16),
        rng.integers(1, 9, len(keys)).astype(np.float32),
        rng.integers(1, 9, len(keys)).astype(np.float64),
    )
    common = _core.Weights(ACTIONS)
    common.restore(*state, 2)
    put = ray.put(state)
    holders = [ray.remote(num_cpus=1)(Holder).remote(put) for _ in range(given.workers)]
    for n in range(given.rounds):
        ray.get([h.touch.remote(given.touched, 100 * n + i) for i, h in enumerate(holders)])
        began, cpu = time.perf_counter(), time.process_time()
        parts = ray.get([h.give.remote() for h in holders])
        mixture = mix(common, parts, "uniform")
        sent = ray.put(mixture)
        ray.get([h.take.remote(sent) for h in holders])
        up, down = sum(size(part.cells) for part in parts), size(mixture.cells)
        print(
            json.dumps(
                {
                    "round": n + 1,
                    "rows": len(keys),
                    "workers": given.workers,
                    "seconds": round(time.perf_counter() - began, 3),
                    "driver_cpu_seconds": round(time.process_time() - cpu, 3),
                    "up_mb": round(up / 1e6, 1),
                    "down_mb": round(down / 1e6, 1),
                    "weights_mb": round(size(state) / 1e6, 1),
                    "moved_by_weights": round((up + down) / size(state), 3),
                    "load": os.getloadavg()[0],
                }
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
