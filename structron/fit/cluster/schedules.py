"""Training on a Ray cluster: the same schedules, with decoding on other machines.

Each worker is an actor that holds its part of the data and its own copy of the weights. In a round of mixing,
the rows that a worker has changed come back, and those that the mixture has changed go out; with minibatches,
the violations come back and the change goes out. The driver holds the authoritative weights. A worker that
dies, or does not answer in time, is replaced by one that starts from them and repeats the lost work. So
nothing is lost, and the result equals that of a single machine.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.fit.checkpoints.state import TrainingState
from structron.fit.cluster.cluster import Cluster
from structron.fit.cluster.hosts import OwnFiles, WorkerInfo
from structron.fit.cluster.worker_pool import Actor, Job, Reference, WorkerPool, ignore
from structron.fit.learning import Learning, Packed
from structron.fit.schedules.schedule import Report, Watch, Worker
from structron.fit.schedules.shards import Numbers, ShardResult, check_round, mix
from structron.io.files.training_files import Files
from structron.model import Place, numbered
from structron.task import Task

# A round is sent in at least this many pieces, of at most this many examples each. This shows progress, and a
# kill loses little.
PIECES = 16
PIECE = 4096

# The most threads that mix the results of the shards.
MIXERS = 8


class Distributed:
    """The part that both schedules on a cluster share: the assignment of examples to workers."""

    def __init__(
        self,
        learning: Learning[Task],
        cluster: Cluster,
        xs: Sequence[object],
        ys: Sequence[object],
        place: Place = numbered,
        watch: Watch | None = None,
        own: OwnFiles | None = None,
    ) -> None:
        cluster.check(learning.recipe)
        self.learning, self.cluster, self.watch = learning, cluster, watch
        self.pool = WorkerPool(cluster, learning, xs, ys, own)
        started = self.pool.start(place)
        # Examples are numbered in their original order, as if they were packed together.
        places = _places(started) if own is None else _places_in_files(started, own.files)
        self.owner = np.concatenate([np.full(len(each), w) for w, each in enumerate(places)])
        order = np.argsort(np.concatenate(places), kind="stable")
        self.owner = self.owner[order]
        learning.included = np.concatenate(places)[order].tolist()
        self.local = np.zeros(len(order), np.uint32)
        for w, each in enumerate(places):
            self.local[self.owner == w] = np.arange(len(each), dtype=np.uint32)
        self.packed = Packed(*map(sum, zip(*(about.packed for about in started))))
        self.pids = [about.pid for about in started]

    @property
    def examples(self) -> int:
        """Return the number of examples of all workers."""
        return len(self.owner)

    def close(self) -> None:
        """Stop the workers."""
        self.pool.close()

    def restarted(self) -> None:
        """Send the common weights to all workers again."""
        self.pool.renewed()

    def show(self, done: Sequence[int], totals: Sequence[int]) -> None:
        """Report the progress of every worker."""
        if self.watch is not None:
            self.watch(
                [
                    Worker(f"worker {w + 1}", n, total, note)
                    for w, (n, total, note) in enumerate(zip(done, totals, self.pool.notes))
                ]
            )


def _places(started: Sequence[WorkerInfo]) -> list[npt.NDArray[np.int64]]:
    """Return the original positions of each worker's examples if they were dealt one by one."""
    return [np.asarray(each.included, np.int64) * len(started) + w for w, each in enumerate(started)]


def _places_in_files(started: Sequence[WorkerInfo], files: Files) -> list[npt.NDArray[np.int64]]:
    """Return the original positions if each worker has read its own files; they run through all files."""
    counts = np.zeros(len(files.names), np.int64)
    for w, each in enumerate(started):
        counts[w :: len(started)] = each.per_file or []
    begin = np.cumsum(counts) - counts
    return [
        np.concatenate(
            [np.empty(0, np.int64)]
            + [begin[f] + np.arange(counts[f]) for f in range(w, len(counts), len(started))]
        )
        for w in range(len(started))
    ]


class ClusterMixing(Distributed):
    """Iterative parameter mixing: a worker for each shard."""

    _mixture: Reference = None

    def epoch(self, state: TrainingState, report: Report) -> None:
        """Run the rest of the round; a shard whose worker dies is trained again from its beginning."""
        began, cpu = time.perf_counter(), time.process_time()
        workers = self.cluster.workers
        self.pool.replaced = [0] * workers
        dealt = [state.order[self.owner[state.order] == w] for w in range(workers)]
        check_round(state.round, dealt, state.place)
        totals = [len(own) for own in dealt]
        rounds = [_Pieces(self, w, self.local[own], state.round.get(w)) for w, own in enumerate(dealt)]
        done = [pieces.begin for pieces in rounds]

        def on_answer(number: int, jobs: int, answer: ShardResult | None) -> None:
            done[number] = rounds[number].done(jobs)
            state.done = sum(done)
            wanted = [pieces for pieces in rounds if pieces.wanted]
            if answer is not None:
                state.round[number] = answer
                rounds[number].wanted = False
            due = report(bool(wanted) and not any(pieces.wanted for pieces in rounds))
            if due and not wanted:
                for pieces, n, total in zip(rounds, done, totals):
                    pieces.wanted = n < total
            self.show(done, totals)

        results: list[ShardResult] = self.pool.collect([pieces.jobs() for pieces in rounds], on_answer)
        ended = time.perf_counter()
        threads = min(MIXERS, os.cpu_count() or 1)
        mixture = mix(self.learning.weights, results, self.learning.recipe.mixing, threads)
        self._mixture = self.pool.ray.put(mixture)
        self.pool.moved()
        state.counts += sum(each.counts for each in results)
        state.done = len(state.order)
        state.seconds += time.perf_counter() - began
        state.cpu_seconds += time.process_time() - cpu + sum(each.seconds for each in results)
        state.waited_seconds += sum(max(0.0, ended - began - each.seconds) for each in results)
        report(False)
        self.show(totals, totals)

    def news(self, number: int) -> tuple[Reference, Reference]:
        """Return the message to a worker before a round: all weights, or the last mixture."""
        state = self.pool.state(number)
        return state, self._mixture if state is None else None


class _Pieces:
    """The pieces of one worker's round.

    Attributes
    ----------
    begin
        The first example, after those that a checkpoint has.
    wanted
        True if the answer to the next piece must contain the result so far.
    """

    def __init__(
        self, schedule: ClusterMixing, number: int, examples: Numbers, part: ShardResult | None
    ) -> None:
        batch = schedule.learning.recipe.batch
        self.schedule, self.number, self.examples, self.part = schedule, number, examples, part
        self.begin = 0 if part is None else part.done
        longest = min(max(1, -(-len(examples) // PIECES)), PIECE)
        self.chunk = -(-longest // batch) * batch
        self.wanted = False

    def done(self, jobs: int) -> int:
        """Return the number of examples after this many jobs."""
        return min(self.begin + jobs * self.chunk, len(self.examples))

    def jobs(self) -> list[Job]:
        """Return the jobs: the first brings the weights or the last mixture, the last returns the result."""
        starts = range(self.begin, max(self.begin + 1, len(self.examples)), self.chunk)
        return [*(self._piece(start) for start in starts), _finish]

    def _piece(self, start: int) -> Job:
        def ask(actor: Actor) -> Reference:
            first = start == self.begin
            state, mixture = self.schedule.news(self.number) if first else (None, None)
            mine = self.examples[start : start + self.chunk]
            return actor.run.remote(state, mixture, self.part if first else None, mine, self.wanted)

        return ask


class ClusterBatches(Distributed):
    """Minibatches: every worker decodes its part of a batch, and all make the same change."""

    _change: Reference = None
    _ticks = 0

    def epoch(self, state: TrainingState, report: Report) -> None:
        """Run the rest of the epoch; a batch whose worker dies is decoded again by another worker."""
        weights, recipe = self.learning.weights, self.learning.recipe
        learner = recipe.learner_choice.engine()
        totals = np.bincount(self.owner[state.order], minlength=self.cluster.workers).tolist()
        done = np.bincount(self.owner[state.order[: state.done]], minlength=self.cluster.workers).tolist()
        while state.done < len(state.order):
            began, cpu = time.perf_counter(), time.process_time()
            examples = state.order[state.done : state.done + recipe.batch]
            self.pool.replaced = [0] * self.cluster.workers
            found = self.pool.collect([[self._job(w, examples)] for w in range(self.cluster.workers)], ignore)
            ended = time.perf_counter()
            made, change = _core.make_change(weights, learner, [each.arrays for each in found])
            self._change, self._ticks = self.pool.ray.put(change), len(examples)
            weights.clock += len(examples)
            self.pool.moved()
            for w, each in enumerate(found):
                state.counts += each.counts
                state.waited_seconds += max(0.0, ended - began - each.seconds)
                state.cpu_seconds += each.seconds
                done[w] += int(each.counts[0])
            state.counts[3:] += made
            state.done += len(examples)
            state.seconds += time.perf_counter() - began
            state.cpu_seconds += time.process_time() - cpu
            report(True)
            self.show(done, totals)

    def _job(self, number: int, examples: Numbers) -> Job:
        numbers = np.flatnonzero(self.owner[examples] == number).astype(np.uint32)
        own = self.local[examples[numbers]]

        def ask(actor: Actor) -> Reference:
            state = self.pool.state(number)
            change, ticks = (self._change, self._ticks) if state is None else (None, 0)
            return actor.find.remote(state, change, ticks, own, numbers)

        return ask


def _finish(actor: Actor) -> Reference:
    return actor.finish.remote()
