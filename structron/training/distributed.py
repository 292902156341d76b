"""Training on a Ray cluster: the same schedules, with the decoding elsewhere.

Each worker is an actor that holds its part of the data and its own copy of the weights. In a round of mixing
the rows that a worker has changed come back, and those that the mixture has changed go out; with minibatches,
the violations come back and the change goes out. The driver holds the weights that count. A worker that dies,
or does not answer in time, is replaced by one that starts from them and does again what the dead one was
doing: nothing is lost, and the result is the one that a single machine gives.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from structron import _core
from structron.model import Place, numbered
from structron.training.checkpoints import Standing
from structron.training.cluster import Cluster
from structron.training.crew import Crew, Job, nobody
from structron.training.learning import Learning
from structron.training.schedule import Tell, Watch, Worker
from structron.training.shards import Given, Numbers, check_round, mix, split

# A round is asked for in so many pieces at least, and none is longer than so many examples: one can see how
# far it is, and what is lost by a kill is little.
PIECES = 16
PIECE = 4096

# So many threads at most mix what the shards give.
HANDS = 8


class Distributed:
    """What the two schedules on a cluster share: where each example is."""

    def __init__(
        self,
        learning: Learning,
        cluster: Cluster,
        xs: Sequence[Any],
        ys: Sequence[Any],
        place: Place = numbered,
        watch: Watch | None = None,
    ) -> None:
        cluster.check(learning.recipe)
        self.learning, self.cluster, self.watch = learning, cluster, watch
        self.crew = Crew(cluster, learning, xs, ys)
        told = self.crew.start(place)
        # Examples are numbered in the order of their places, as if they were packed together.
        kept = [np.asarray(about["kept"], np.int64) * cluster.workers + w for w, about in enumerate(told)]
        learning.kept = np.sort(np.concatenate(kept)).tolist()
        places = np.asarray(learning.kept, np.int64)
        self.owner = places % cluster.workers
        self.local = np.zeros(len(places), np.uint32)
        for w, own in enumerate(kept):
            self.local[self.owner == w] = np.arange(len(own), dtype=np.uint32)
        self.packed = SimpleNamespace(
            **{name: sum(about["packed"][name] for about in told) for name in told[0]["packed"]}
        )
        self.pids = [int(about["pid"]) for about in told]

    @property
    def examples(self) -> int:
        """How many examples all workers have."""
        return len(self.owner)

    @property
    def tokens(self) -> int:
        """How many tokens they have."""
        return int(self.packed.tokens)

    def close(self) -> None:
        """Let the workers go."""
        self.crew.close()

    def show(self, done: Sequence[int], totals: Sequence[int]) -> None:
        """Tell how far every worker is."""
        if self.watch is not None:
            self.watch(
                [
                    Worker(f"worker {w + 1}", n, total, note)
                    for w, (n, total, note) in enumerate(zip(done, totals, self.crew.notes))
                ]
            )


class ClusterMixing(Distributed):
    """Iterative parameter mixing: a worker for each shard."""

    _mixture: Any = None

    def epoch(self, standing: Standing, tell: Tell) -> None:
        """What is left of the round; a shard whose worker dies is trained again from its beginning."""
        began, cpu = time.perf_counter(), time.process_time()
        workers = self.cluster.workers
        self.crew.replaced = [0] * workers
        dealt = split(standing.order, self.learning.kept, workers)
        check_round(standing.round, dealt, standing.place)
        totals = [len(own) for own in dealt]
        rounds = [_Pieces(self, w, self.local[own], standing.round.get(w)) for w, own in enumerate(dealt)]
        done = [pieces.begin for pieces in rounds]

        def seen(number: int, jobs: int, answer: Given | None) -> None:
            done[number] = rounds[number].done(jobs)
            standing.done = sum(done)
            wanted = [pieces for pieces in rounds if pieces.wanted]
            if answer is not None:
                standing.round[number] = answer
                rounds[number].wanted = False
            due = tell(bool(wanted) and not any(pieces.wanted for pieces in rounds))
            if due and not wanted:
                for pieces, n, total in zip(rounds, done, totals):
                    pieces.wanted = n < total
            self.show(done, totals)

        given: list[Given] = self.crew.collect([pieces.jobs() for pieces in rounds], seen)
        ended = time.perf_counter()
        hands = min(HANDS, os.cpu_count() or 1)
        mixture = mix(self.learning.weights, given, self.learning.recipe.mixing, hands)
        self._mixture = self.crew.ray.put(mixture)
        self.crew.moved()
        standing.counts += sum(each.counts for each in given)
        standing.done = len(standing.order)
        standing.seconds += time.perf_counter() - began
        standing.cpu_seconds += time.process_time() - cpu + sum(each.seconds for each in given)
        standing.waited_seconds += sum(max(0.0, ended - began - each.seconds) for each in given)
        tell(False)
        self.show(totals, totals)

    def news(self, number: int) -> tuple[Any, Any]:
        """What a worker must know before a round: all weights, or what has changed since the last one."""
        state = self.crew.state(number)
        return state, self._mixture if state is None else None


class _Pieces:
    """One worker's round, piece by piece.

    Attributes
    ----------
    begin
        Where it begins: after what a checkpoint has of it.
    wanted
        Whether the answer to the next piece shall tell what has changed so far.
    """

    def __init__(self, schedule: ClusterMixing, number: int, examples: Numbers, part: Given | None) -> None:
        batch = schedule.learning.recipe.batch
        self.schedule, self.number, self.examples, self.part = schedule, number, examples, part
        self.begin = 0 if part is None else part.done
        longest = min(max(1, -(-len(examples) // PIECES)), PIECE)
        self.chunk = -(-longest // batch) * batch
        self.wanted = False

    def done(self, jobs: int) -> int:
        """How many examples so many jobs have come to."""
        return min(self.begin + jobs * self.chunk, len(self.examples))

    def jobs(self) -> list[Job]:
        """The first brings the weights, or what changed in the last round; the last gives the answer."""
        starts = range(self.begin, max(self.begin + 1, len(self.examples)), self.chunk)
        return [*(self._piece(start) for start in starts), _give]

    def _piece(self, start: int) -> Job:
        def ask(actor: Any) -> Any:
            first = start == self.begin
            state, mixture = self.schedule.news(self.number) if first else (None, None)
            mine = self.examples[start : start + self.chunk]
            return actor.run.remote(state, mixture, self.part if first else None, mine, self.wanted)

        return ask


class ClusterBatches(Distributed):
    """Minibatches: every worker decodes what it has of a batch, and all make the same change."""

    _change: Any = None
    _ticks = 0

    def epoch(self, standing: Standing, tell: Tell) -> None:
        """What is left of the epoch; the batch in which a worker dies is decoded again by another."""
        weights, recipe = self.learning.weights, self.learning.recipe
        learner = recipe.learner_choice.engine()
        totals = np.bincount(self.owner[standing.order], minlength=self.cluster.workers).tolist()
        done = np.bincount(
            self.owner[standing.order[: standing.done]], minlength=self.cluster.workers
        ).tolist()
        while standing.done < len(standing.order):
            began, cpu = time.perf_counter(), time.process_time()
            examples = standing.order[standing.done : standing.done + recipe.batch]
            self.crew.replaced = [0] * self.cluster.workers
            found = self.crew.collect([[self._job(w, examples)] for w in range(self.cluster.workers)], nobody)
            ended = time.perf_counter()
            made, change = _core.make_change(weights, learner, [each.arrays for each in found])
            self._change, self._ticks = self.crew.ray.put(change), len(examples)
            weights.clock += len(examples)
            self.crew.moved()
            for w, each in enumerate(found):
                standing.counts += each.counts
                standing.waited_seconds += max(0.0, ended - began - each.seconds)
                standing.cpu_seconds += each.seconds
                done[w] += int(each.counts[0])
            standing.counts[3:] += made
            standing.done += len(examples)
            standing.seconds += time.perf_counter() - began
            standing.cpu_seconds += time.process_time() - cpu
            tell(True)
            self.show(done, totals)

    def _job(self, number: int, examples: Numbers) -> Job:
        numbers = np.flatnonzero(self.owner[examples] == number).astype(np.uint32)
        own = self.local[examples[numbers]]

        def ask(actor: Any) -> Any:
            state = self.crew.state(number)
            change, ticks = (self._change, self._ticks) if state is None else (None, 0)
            return actor.find.remote(state, change, ticks, own, numbers)

        return ask


def _give(actor: Any) -> Any:
    return actor.give.remote()
