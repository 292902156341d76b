"""Training on a Ray cluster: the same schedules, with the decoding elsewhere.

Each worker is an actor that holds its part of the data and its own copy of the weights. In a round of mixing
the rows that a worker has changed come back, and those that the mixture has changed go out; with minibatches,
the violations come back and the change goes out. The driver holds the weights that count. A worker that dies,
or does not answer in time, is replaced by one that starts from them and does again what the dead one was
doing: nothing is lost, and the result is the one that a single machine gives.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.errors import ClusterError, DataError, SettingError
from structron.model import Place, numbered
from structron.training.checkpoints import Standing
from structron.training.hosts import Host
from structron.training.learning import Learning
from structron.training.mixing import Given, mix, split
from structron.training.parcels import pack
from structron.training.recipe import Recipe
from structron.training.schedule import Watch, Worker

Numbers = npt.NDArray[np.uint32]
Job = Callable[[Any], Any]  # from an actor to the reference of an answer

# A round is asked for in so many pieces, so that one can see how far it is.
PIECES = 16


@dataclass(frozen=True)
class Cluster:
    """Where to train.

    Parameters
    ----------
    address
        ``auto`` for the cluster of this machine, ``host:port``, or ``local`` to start one here.
    workers
        How many workers take part.
    deadline
        A worker that has not answered after so many seconds is replaced.
    patience
        How often a worker is replaced in one epoch before training gives up.
    """

    address: str = "auto"
    workers: int = 2
    deadline: float = 600.0
    patience: int = 3

    def __post_init__(self) -> None:
        if isinstance(self.workers, bool) or not isinstance(self.workers, int) or self.workers < 1:
            raise SettingError(f"workers = {self.workers!r} cannot be; give a whole number of at least 1")

    def check(self, recipe: Recipe) -> None:
        """Refuse a recipe that this cluster has nothing to do for."""
        if recipe.shards == 1 and recipe.batch == 1:
            raise SettingError(
                "a cluster trains in batches or on shards; set batch (64, say) or shards (as many as workers)"
            )
        if recipe.shards > 1 and recipe.shards != self.workers:
            raise SettingError(
                f"{self.workers} workers for {recipe.shards} shards: each shard has one worker; "
                "give the same number of both"
            )
        if recipe.cut > 1:
            raise SettingError(
                f"cut = {recipe.cut} counts features over all data, which no worker sees; leave it out"
            )

    def connect(self) -> Any:
        """Ray, connected; what can go wrong is told in one sentence."""
        try:
            import ray
        except ImportError:
            raise ClusterError("Ray is not installed; pip install 'structron[ray]'") from None
        if ray.is_initialized():
            return ray
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            if self.address == "local":
                ray.init(num_cpus=self.workers, include_dashboard=False, **quiet)
            else:
                ray.init(address=self.address, **quiet)
        except ConnectionError:
            raise ClusterError(
                f"{self.address}: no cluster answers; start one with 'ray start --head', "
                "or use --cluster local"
            ) from None
        except (RuntimeError, ValueError) as error:
            what = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            if "ersion" in what:
                raise ClusterError(
                    f"{self.address}: Ray or Python has another version there ({what}); install the same"
                ) from None
            raise ClusterError(f"{self.address}: cannot be used ({what}); check the cluster") from None
        return ray


class Crew:
    """The workers, and what becomes of them."""

    def __init__(self, cluster: Cluster, learning: Learning, xs: Sequence[Any], ys: Sequence[Any]) -> None:
        self.cluster, self.learning = cluster, learning
        self.ray = cluster.connect()
        n = cluster.workers
        self._started_here = cluster.address == "local"
        self._data = [self.ray.put(pack([list(xs[w::n]), list(ys[w::n])])) for w in range(n)]
        self._choice = self.ray.put((learning.task, learning.recipe))
        self._host = self.ray.remote(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")(Host)
        self.actors: list[Any] = [None] * n
        self.notes = [""] * n
        self.fresh = [True] * n  # has a worker never been told of the weights?
        self._state: Any = None
        self.replaced = [0] * n

    def start(self, place: Place = numbered) -> list[dict[str, Any]]:
        """All workers with their data; what each of them has."""
        n = self.cluster.workers
        try:
            told: list[dict[str, Any]] = self.collect([[_about]] * n, lambda number, done: None)
        except DataError as error:
            found = re.fullmatch(r"@(\d+)@:(\d+): (.*)", str(error), re.DOTALL)
            if found is None:
                raise
            at = int(found[2]) * n + int(found[1])
            raise DataError(f"{place(at)}: {found[3]}") from None
        for about in told:
            if about["version"] != version("structron"):
                raise ClusterError(
                    f"a worker has structron {about['version']}, this is {version('structron')}; "
                    "install the same on all machines"
                )
        return told

    def collect(self, jobs: Sequence[Sequence[Job]], seen: Callable[[int, int], None]) -> list[Any]:
        """The last answer of every worker to its jobs, one after the other.

        A worker that is replaced starts with its first job again. `seen(number, done)` is told how many jobs
        a worker has done.
        """
        answers: list[Any] = [None] * len(jobs)
        done = [0] * len(jobs)
        waiting: dict[Any, tuple[int, float]] = {}
        for number in range(len(jobs)):
            self._submit(number, jobs[number][0], waiting)
        while waiting:
            ready, _ = self.ray.wait(list(waiting), timeout=0.5)
            late = [
                ref
                for ref, (_, asked) in waiting.items()
                if ref not in ready and time.monotonic() - asked > self.cluster.deadline
            ]
            for ref in [*ready, *late]:
                number, _ = waiting.pop(ref)
                try:
                    if ref in late:
                        raise TimeoutError(f"no answer for {self.cluster.deadline:g} s")
                    answers[number] = self.ray.get(ref)
                    done[number] += 1
                except (self.ray.exceptions.RayError, TimeoutError) as error:
                    self._bury(number, error)
                    done[number] = 0
                seen(number, done[number])
                if done[number] < len(jobs[number]):
                    self._submit(number, jobs[number][done[number]], waiting)
            if not ready:
                seen(0, done[0])
        return answers

    def _submit(self, number: int, job: Job, waiting: dict[Any, tuple[int, float]]) -> None:
        if self.actors[number] is None:
            self.actors[number] = self._host.remote(number, self._choice, self._data[number])
            self.fresh[number] = True
        waiting[job(self.actors[number])] = (number, time.monotonic())

    def state(self, number: int) -> Any:
        """The weights as they are, for a worker that has none yet; otherwise nothing."""
        if not self.fresh[number]:
            return None
        if self._state is None:
            weights = self.learning.weights
            self._state = self.ray.put((weights.state(), weights.clock))
        return self._state

    def moved(self) -> None:
        """The weights have changed, and every worker will be told."""
        self._state = None
        self.fresh = [False] * len(self.fresh)

    def _bury(self, number: int, error: Exception) -> None:
        """A worker is gone; unless it was the data's fault, or happens too often, another takes its place."""
        cause = getattr(error, "cause", None)
        if isinstance(cause, DataError | SettingError):
            raise cause from None
        self.ray.kill(self.actors[number], no_restart=True)
        self.actors[number] = None
        self.replaced[number] += 1
        memory = isinstance(error, self.ray.exceptions.OutOfMemoryError) or isinstance(cause, MemoryError)
        reason = "out of memory" if memory else str(error).strip().splitlines()[0][:100]
        self.notes[number] = f"replaced ({reason})"
        if memory and self.replaced[number] >= self.cluster.patience:
            raise ClusterError(
                f"worker {number + 1} ran out of memory {self.replaced[number]} times; "
                "use more workers, or machines with more memory"
            )
        if self.replaced[number] > self.cluster.patience:
            raise ClusterError(
                f"worker {number + 1} was lost {self.replaced[number]} times in one epoch ({reason}); "
                "look at the cluster's logs, and go on with --resume"
            )

    def close(self) -> None:
        """Let the workers go."""
        for actor in self.actors:
            if actor is not None:
                self.ray.kill(actor, no_restart=True)
        self.actors = [None] * len(self.actors)
        if self._started_here:
            self.ray.shutdown()


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

    def epoch(self, standing: Standing, tell: Callable[[bool], None]) -> None:
        """One round; a shard whose worker dies is trained again from the round's weights."""
        began, cpu = time.perf_counter(), time.process_time()
        self.crew.replaced = [0] * self.cluster.workers
        batch = self.learning.recipe.batch
        dealt = split(standing.order, self.learning.kept, self.cluster.workers)
        totals = [len(own) for own in dealt]
        done = [0] * len(dealt)
        chunks = [-(-max(1, total) // (PIECES * batch)) * batch for total in totals]

        def seen(number: int, pieces: int) -> None:
            done[number] = min(pieces * chunks[number], totals[number])
            standing.done = sum(done)
            tell(False)
            self.show(done, totals)

        jobs = [self._jobs(w, self.local[own], chunk) for w, (own, chunk) in enumerate(zip(dealt, chunks))]
        given: list[Given] = self.crew.collect(jobs, seen)
        ended = time.perf_counter()
        mixture = mix(self.learning.weights, given, self.learning.recipe.mixing)
        self._mixture = self.crew.ray.put(mixture)
        self.crew.moved()
        standing.counts += sum(each.counts for each in given)
        standing.done = len(standing.order)
        standing.seconds += time.perf_counter() - began
        standing.cpu_seconds += time.process_time() - cpu + sum(each.seconds for each in given)
        standing.waited_seconds += sum(max(0.0, ended - began - each.seconds) for each in given)
        tell(False)
        self.show(totals, totals)

    def _jobs(self, number: int, examples: Numbers, chunk: int) -> list[Job]:
        """The pieces of a worker's epoch; the first brings what all have made of the last one."""

        def piece(start: int) -> Job:
            def ask(actor: Any) -> Any:
                mine = examples[start : start + chunk]
                if start > 0:
                    return actor.run.remote(None, None, mine)
                state = self.crew.state(number)
                return actor.run.remote(state, self._mixture if state is None else None, mine)

            return ask

        return [*(piece(start) for start in range(0, max(1, len(examples)), chunk)), _give]


class ClusterBatches(Distributed):
    """Minibatches: every worker decodes what it has of a batch, and all make the same change."""

    _change: Any = None
    _ticks = 0

    def epoch(self, standing: Standing, tell: Callable[[bool], None]) -> None:
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
            found = self.crew.collect(
                [[self._job(w, examples)] for w in range(self.cluster.workers)], lambda number, jobs: None
            )
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


def _about(actor: Any) -> Any:
    return actor.about.remote()


def _give(actor: Any) -> Any:
    return actor.give.remote()
