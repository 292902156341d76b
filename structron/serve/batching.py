"""Batches: requests collected for the engine, and answered by threads that release the GIL there.

All but `_answer` runs in the event loop, so that nothing here needs a lock.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from structron.errors import StructronError
from structron.serve.limits import Limits
from structron.serve.metrics import Metrics
from structron.serve.refusals import BUSY, FAILED, GONE, LATE, TOO_LARGE, UNFIT, Refused
from structron.serve.registry import Loaded

BATCH = 64  # inputs that are worth one call of the engine
RETRY = 1  # seconds after which a refused client may come again


@dataclass(eq=False)
class Job:
    """The inputs of one request.

    Attributes
    ----------
    kbest
        How many outputs of each; None for the best alone, without its score.
    late
        When nobody waits for it any more, by the loop's clock.
    """

    model: Loaded
    inputs: Sequence[Any]
    kbest: int | None
    late: float
    answer: asyncio.Future[list[Any]] = field(repr=False)

    @property
    def key(self) -> tuple[int, int | None]:
        """The model, its version and the question: jobs with the same key can share a batch."""
        return id(self.model), self.kbest

    @property
    def is_over(self) -> bool:
        """Return whether nobody waits for it: the client is gone, or was refused."""
        return self.answer.done()


class Batcher:
    """A bounded queue, and as many workers as there are threads.

    Parameters
    ----------
    linger
        How many seconds a worker waits for more before it takes a batch; while all are busy requests gather
        by themselves.
    """

    def __init__(self, limits: Limits, metrics: Metrics, threads: int = 1, linger: float = 0.002) -> None:
        self.limits, self.metrics, self.threads, self.linger = limits, metrics, threads, linger
        self.waiting = 0  # inputs in the queue
        self._jobs: deque[Job] = deque()
        self._some, self._room = asyncio.Event(), asyncio.Event()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="decode")
        self._workers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to work, in the running loop."""
        self._workers = [asyncio.create_task(self._work()) for _ in range(self.threads)]

    async def stop(self) -> None:
        """End; whoever still waits is refused."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        for job in self._jobs:
            if not job.is_over:
                job.answer.set_exception(Refused(BUSY, "the server is shutting down; ask again", RETRY))
        self._jobs.clear()
        await asyncio.to_thread(self._pool.shutdown)

    def check_room(self, size: int = 1) -> None:
        """Refuse what there is no place for."""
        if self.waiting + size > self.limits.queue:
            self.metrics.refused("queue")
            raise Refused(BUSY, f"the queue is full ({self.waiting:,} inputs wait); ask again", RETRY)

    def submit(self, model: Loaded, inputs: Sequence[Any], kbest: int | None) -> Job:
        """Put a request into the queue, or refuse it if that is full."""
        size = max(1, len(inputs))
        if size > self.limits.queue:
            raise Refused(TOO_LARGE, f"inputs: {size:,} are more than can ever wait; send fewer at a time")
        self.check_room(size)
        loop = asyncio.get_running_loop()
        job = Job(model, inputs, kbest, loop.time() + self.limits.seconds, loop.create_future())
        self.waiting += size
        self._jobs.append(job)
        self._some.set()
        return job

    async def room(self, size: int = 1) -> None:
        """Wait until the queue has a place, for those who can: a stream is read no faster than answered."""
        while self.waiting + size > self.limits.queue:
            self._room.clear()
            await self._room.wait()

    async def answered(self, job: Job) -> list[Any]:
        """Wait for the answers; refuse if they come too late or nobody wants them."""
        timer = asyncio.get_running_loop().call_at(job.late, self._give_up, job)
        try:
            return await job.answer
        except asyncio.CancelledError:
            if not job.answer.cancelled():
                raise
            raise Refused(GONE, "the client is gone; nobody reads this") from None
        finally:
            timer.cancel()
            job.answer.cancel()

    def _give_up(self, job: Job) -> None:
        if not job.is_over:
            self.metrics.refused("time")
            said = f"no answer within {self.limits.seconds:g} seconds; send less, or ask again"
            job.answer.set_exception(Refused(LATE, said, RETRY))

    # ----------------------------------------------------------------------------------------- the workers

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._some.wait()
            if self.waiting < BATCH and self.linger:
                await asyncio.sleep(self.linger)
            batch = self._take()
            if not batch:
                continue
            began = time.perf_counter()
            found = await loop.run_in_executor(self._pool, _answer, batch, self.limits)
            self.metrics.batch(sum(len(job.inputs) for job in batch), time.perf_counter() - began)
            for job, answer in zip(batch, found):
                if job.is_over:
                    continue
                if isinstance(answer, Refused):
                    job.answer.set_exception(answer)
                else:
                    job.answer.set_result(answer)

    def _take(self) -> list[Job]:
        """Take the first job and what can join it, up to a batch; drop those nobody waits for."""
        batch: list[Job] = []
        size = 0
        left: deque[Job] = deque()
        while self._jobs and size < BATCH:
            job = self._jobs.popleft()
            if job.is_over:
                self.waiting -= max(1, len(job.inputs))
            elif batch and (job.key != batch[0].key or size + len(job.inputs) > BATCH):
                left.append(job)
                if len(left) > BATCH:  # a long queue of other models need not be looked through
                    break
            else:
                batch.append(job)
                size += max(1, len(job.inputs))
        self._jobs.extendleft(reversed(left))
        self.waiting -= size
        self._room.set()
        if not self._jobs:
            self._some.clear()
        return batch


def _answer(batch: Sequence[Job], limits: Limits) -> list[list[Any] | Refused]:
    """Answer all jobs in one call, in a thread; if an input is refused, answer each by itself."""
    try:
        found = _ask(batch[0], [x for job in batch for x in job.inputs], limits)
    except Exception as error:
        if len(batch) == 1:
            return [_refusal(error)]
        return [answer for job in batch for answer in _answer([job], limits)]
    answers, begin = [], 0
    for job in batch:
        answers.append(found[begin : begin + len(job.inputs)])
        begin += len(job.inputs)
    return answers  # type: ignore[return-value]


def _ask(job: Job, inputs: Sequence[Any], limits: Limits) -> list[Any]:
    if not inputs:
        return []
    form, estimator = job.model.form, job.model.estimator
    return (
        form.answers(estimator, inputs, limits)
        if job.kbest is None
        else form.kbest(estimator, inputs, job.kbest)
    )


def _refusal(error: Exception) -> Refused:
    """Return the part of an error that a client may see: the fault in its input."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, StructronError):
        return Refused(UNFIT, str(error))
    return Refused(FAILED, "the server failed on this request; please report it")
