"""The workers on a cluster.

A worker that dies, or does not answer in time, is replaced by one that starts from the driver's weights and
repeats the lost work.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from structron.errors import ClusterError, DataError, SettingError
from structron.fit.cluster.cluster import Cluster
from structron.fit.cluster.hosts import Host, OwnFiles, WorkerInfo
from structron.fit.cluster.payload import pack
from structron.fit.learning import Learning
from structron.model import Place, numbered
from structron.task import Task

Actor = Any  # a `Host` behind Ray, which has no types
Reference = object  # to an answer, or to sent data; opaque except for Ray
Job = Callable[[Actor], Reference]
Counts = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]
AnswerT = TypeVar("AnswerT")
OnAnswer = Callable[[int, int, AnswerT | None], None]  # worker, number of finished jobs, last answer


class WorkerPool:
    """Starts workers, gives them jobs, collects the answers and replaces lost workers."""

    def __init__(
        self,
        cluster: Cluster,
        learning: Learning[Task],
        xs: Sequence[object],
        ys: Sequence[object],
        own: OwnFiles | None = None,
    ) -> None:
        self.cluster, self.learning = cluster, learning
        self.ray = cluster.connect()
        n = cluster.workers
        self._started_here = cluster.address == "local"
        if own is None:
            self._data = [self.ray.put(pack([list(xs[w::n]), list(ys[w::n])])) for w in range(n)]
        else:
            self._data = [self.ray.put(own._replace(files=own.files.part(w, n))) for w in range(n)]
        self._choice = self.ray.put((learning.task, learning.recipe.but(cut=0)))
        self._features: Reference = None  # the features to keep if rare ones are cut
        self._host = self.ray.remote(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")(Host)
        self.actors: list[Actor] = [None] * n
        self.notes = [""] * n
        self.fresh = [True] * n  # True for workers that have not received the weights
        self._state: Reference = None
        self.replaced = [0] * n

    def start(self, place: Place = numbered) -> list[WorkerInfo]:
        """Start all workers with their data; return their descriptions."""
        n = self.cluster.workers
        try:
            started: list[WorkerInfo] = self.collect([[_about]] * n, ignore)
        except DataError as error:
            found = re.fullmatch(r"@(\d+)@:(\d+): (.*)", str(error), re.DOTALL)
            if found is None:
                raise
            at = int(found[2]) * n + int(found[1])
            raise DataError(f"{place(at)}: {found[3]}") from None
        for about in started:
            if about.version != version("structron"):
                raise ClusterError(
                    f"a worker has structron {about.version}, this is {version('structron')}; "
                    "install the same on all machines"
                )
        if self.learning.recipe.least_seen > 1:
            self._cut(self.learning.recipe.least_seen)
        return started

    def _cut(self, least: int) -> None:
        """Discard features that are rare in all parts of the data together."""
        n = self.cluster.workers
        counts: list[Counts] = self.collect([[_counts]] * n, ignore)
        keys, place = np.unique(np.concatenate([keys for keys, _ in counts]), return_inverse=True)
        times = np.bincount(place, np.concatenate([times for _, times in counts]), len(keys))
        features = self.ray.put(keys[times >= least])
        # A worker that is replaced meanwhile gets them when it starts.
        self._features = features
        self.collect([[lambda actor: actor.keep.remote(features)]] * n, ignore)

    def collect(self, jobs: Sequence[Sequence[Job]], on_answer: OnAnswer[AnswerT]) -> list[Any]:
        """Return the last answer of every worker to its jobs, which run one after the other.

        A worker that is replaced starts with its first job again. `on_answer` is called with every answer,
        and from time to time while there is none.
        """
        answers: list[Any] = [None] * len(jobs)
        done = [0] * len(jobs)
        waiting: dict[Reference, tuple[int, float]] = {}
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
                    answers[number] = self.ray.get(ref, timeout=self.cluster.deadline)
                    done[number] += 1
                except (self.ray.exceptions.RayError, TimeoutError) as error:
                    self._replace(number, error)
                    done[number], answers[number] = 0, None
                on_answer(number, done[number], answers[number])
                if done[number] < len(jobs[number]):
                    self._submit(number, jobs[number][done[number]], waiting)
            if not ready:
                on_answer(0, done[0], None)
        return answers

    def _submit(self, number: int, job: Job, waiting: dict[Reference, tuple[int, float]]) -> None:
        if self.actors[number] is None:
            self.actors[number] = self._host.remote(number, self._choice, self._data[number], self._features)
            self.fresh[number] = True
        waiting[job(self.actors[number])] = (number, time.monotonic())

    def state(self, number: int) -> Reference:
        """Return the current weights for a worker that has none yet, otherwise None."""
        if not self.fresh[number]:
            return None
        if self._state is None:
            weights = self.learning.weights
            self._state = self.ray.put((weights.state(), weights.clock))
        return self._state

    def moved(self) -> None:
        """Note that the weights have changed and that every worker will receive the change."""
        self._state = None
        self.fresh = [False] * len(self.fresh)

    def renewed(self) -> None:
        """Note that every worker must receive all weights again."""
        self._state = None
        self.fresh = [True] * len(self.fresh)

    def _replace(self, number: int, error: Exception) -> None:
        """Replace a lost worker, unless the data are at fault or it happens too often."""
        cause = getattr(error, "cause", None)
        if isinstance(cause, DataError | SettingError):
            raise cause from None
        self.ray.kill(self.actors[number], no_restart=True)
        self.actors[number] = None
        self.replaced[number] += 1
        memory = (
            isinstance(error, self.ray.exceptions.OutOfMemoryError)
            or isinstance(cause, MemoryError)
            or "low on memory" in str(error)
        )
        reason = (
            "out of memory" if memory else (str(error).strip() or type(error).__name__).splitlines()[0][:100]
        )
        self.notes[number] = f"replaced ({reason})"
        if memory and self.replaced[number] >= self.cluster.patience:
            raise ClusterError(
                f"worker {number + 1} ran out of memory {self.replaced[number]} times; "
                "use more workers, or machines with more memory"
            )
        if self.replaced[number] > self.cluster.patience:
            raise ClusterError(
                f"worker {number + 1} was lost {self.replaced[number]} times in one epoch ({reason}); "
                "look at the cluster's logs, and continue with --resume"
            )

    def close(self) -> None:
        """Stop the workers."""
        for actor in self.actors:
            if actor is not None:
                self.ray.kill(actor, no_restart=True)
        self.actors = [None] * len(self.actors)
        if self._started_here:
            self.ray.shutdown()


def _about(actor: Actor) -> Reference:
    return actor.about.remote()


def _counts(actor: Actor) -> Reference:
    return actor.counts.remote()


def ignore(number: int, done: int, answer: object) -> None:
    """Do nothing, for jobs whose progress is not watched."""
