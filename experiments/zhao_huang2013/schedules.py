"""A training run with a schedule, and the clock that its sentences would have shown on several workers."""

from __future__ import annotations

import heapq
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from corpora import PARSING, load
from record import RATNAPARKHI, checksum, signature_of

from structron import Parser, Tagger
from structron.fit import Learning, Serial, epochs
from structron.tasks.parsing.settings import ParsingRecipe
from structron.tasks.tagging.settings import TaggingRecipe

WORKERS = (1, 2, 4, 8, 12, 24)
BATCHES = (1, 2, 4, 8, 16, 24, 32, 48, 64)


@dataclass(frozen=True)
class Scheduled:
    """One training run, or with `clock` the times of its sentences."""

    corpus: str
    learner: str
    batch: int
    shards: int
    mixing: str
    seed: int
    epochs: int
    clock: bool = False
    quick: bool = False

    def settings(self) -> dict[str, Any]:
        """Return it with every setting named, so that these numbers stay when a default changes."""
        published = self.learner == "perceptron" and self.batch > 1  # the mean over the batch
        kind: dict[str, Any] = {"templates": list(RATNAPARKHI), "order": 2}
        if self.corpus in PARSING:
            kind = {"templates": "huang_sagae_50", "system": "arc-standard", "oracle": "static"}
            kind |= {"labelled": False, "crossing": "lift", "tagger": "none"}
        return kind | {
            "search": "beam:8",
            "update": "max_violation",
            "learner": "perceptron:mean" if published else self.learner,
            "epochs": self.epochs,
            "seed": self.seed,
            "batch": self.batch,
            "shards": self.shards,
            "mixing": self.mixing,
        }

    def checksum(self) -> str:
        return checksum(self.corpus, self.quick)

    def measure(self) -> dict[str, Any]:
        entry = self.timed() if self.clock else self.trained()
        settings = self.settings()
        recipe = (
            ParsingRecipe(**settings)
            if self.corpus in PARSING
            else TaggingRecipe(**settings | {"templates": tuple(RATNAPARKHI)})
        )
        signature = signature_of(recipe.hash(), self.checksum(), self.seed)
        return {"run": asdict(self), "signature": signature} | entry

    def line(self, entry: dict[str, Any]) -> str:
        what = f"{self.learner} batch {self.batch} shards {self.shards} seed {self.seed}"
        if self.clock:
            return f"{what}: {len(entry['decode'])} sentences timed"
        return f"{what}: dev {max(entry['dev']):.2f}, test {entry['test']:.2f}, {sum(entry['cpu']):.1f} CPU s"

    def trained(self) -> dict[str, Any]:
        """Train in one thread; the epoch that is best on the dev part is scored on the test part."""
        corpus = load(self.corpus, self.quick)
        model: Any = (
            Parser(cut=0, min_weight=0.0, **self.settings())
            if self.corpus in PARSING
            else Tagger(constraints=None, dictionary=None, **self.settings())
        )
        model.fit(*corpus.train, dev=corpus.dev)
        history = model.history_
        return {
            "dev": [round(100 * (epoch.dev_score or 0.0), 4) for epoch in history],
            "test": round(100 * model.score(*corpus.test), 4),
            "updates": [epoch.updates for epoch in history],
            "cpu": [round(epoch.cpu_seconds, 3) for epoch in history],
        }

    def timed(self) -> dict[str, Any]:
        """Measure CPU time of decoding each sentence, and of a change for each batch size."""
        corpus = load(self.corpus, self.quick)
        tagger = Tagger(constraints=None, dictionary=None, **self.settings() | {"epochs": 1, "batch": 1})
        recipe = tagger.recipe
        plan = tagger.plan(*corpus.train)
        learning, examples = Learning.start(plan.task, recipe), plan.examples
        packed = learning.pack(examples.xs, examples.ys)
        list(epochs(learning, Serial(learning, packed)))
        live = learning.learner(packed)
        zero = np.zeros(1, np.uint32)
        decode = np.full(packed.sentences, np.inf)
        for _ in range(2):  # the smaller of two: somebody else may have used the processor
            for s in range(packed.sentences):
                one = np.array([s], np.uint32)
                began = time.thread_time()
                live.find(one, zero)
                decode[s] = min(decode[s], time.thread_time() - began)
        # What a batch costs beyond decoding: the change, made by one.
        some = np.arange(min(1024, packed.sentences), dtype=np.uint32)
        change = {}
        for batch in BATCHES:
            # Each from the same weights; one example at a time is not told apart: two are the nearest.
            again = learning.learner(packed, learning.weights.copy())
            again.run(some, max(2, batch), 1)
            change[str(batch)] = again.change_seconds / len(some)
        order = np.random.default_rng(self.seed).permutation(packed.sentences)
        lengths = [len(x) for x in examples.xs]
        return {
            "decode": [round(float(decode[s]) * 1e6, 1) for s in order],  # microseconds, in an epoch's order
            "lengths": [lengths[s] for s in order],
            "change": {batch: round(1e6 * each, 2) for batch, each in change.items()},
        }


def makespan(times: Sequence[float], turns: Sequence[int], workers: int) -> float:
    """Return how long it takes when whoever is free takes the next one."""
    free = [0.0] * workers
    heapq.heapify(free)
    for turn in turns:
        heapq.heappush(free, heapq.heappop(free) + times[turn])
    return max(free)


def simulated_batches(clock: dict[str, Any], batch: int, workers: int, balanced: bool) -> float:
    """Return seconds of an epoch, simulated: batches are decoded by all workers, and one makes the change.

    Balanced, the longest sentence goes first and to whoever is free; otherwise a batch is cut into equal runs
    of sentences as they come.
    """
    decode, lengths = clock["decode"], clock["lengths"]
    total = 0.0
    for start in range(0, len(decode), batch):
        times, sizes = decode[start : start + batch], lengths[start : start + batch]
        if balanced:
            total += makespan(times, sorted(range(len(times)), key=lambda i: -sizes[i]), workers)
        else:
            total += max(float(np.sum(part)) for part in np.array_split(times, workers))
        total += clock["change"][str(batch)] * len(times)
    return total / 1e6


def simulated_mixing(clock: dict[str, Any], shards: int) -> float:
    """Return seconds of an epoch, simulated: the slowest shard; what mixing itself takes is left out."""
    decode = np.asarray(clock["decode"])
    own = [
        decode[shard::shards].sum() + clock["change"]["1"] * len(decode[shard::shards])
        for shard in range(shards)
    ]
    return float(max(own)) / 1e6
