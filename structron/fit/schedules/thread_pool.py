"""A pool of threads: as many as were requested, or as the system starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import ParamSpec, Self, TypeVar

from structron.errors import SettingError

Item = TypeVar("Item")
Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")


class ThreadPool:
    """Runs jobs in order; the `Future` of a job raises what the job raises.

    `concurrent.futures.ThreadPoolExecutor` starts threads as jobs arrive. If one cannot be started, it
    neither returns the job nor continues with those it has.
    """

    def __init__(self, size: int) -> None:
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads: list[Thread] = []
        for _ in range(size):
            thread = Thread(target=self._serve)
            try:
                thread.start()
            except RuntimeError:
                break
            self._threads.append(thread)
        if not self._threads:
            raise SettingError(
                "shards: the system starts no more threads; end other programs or train without shards"
            )

    def __len__(self) -> int:
        return len(self._threads)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()

    def submit(
        self, job: Callable[Arguments, Result], *args: Arguments.args, **options: Arguments.kwargs
    ) -> Future[Result]:
        """Add a job."""
        future: Future[Result] = Future()

        def run() -> None:
            try:
                future.set_result(job(*args, **options))
            except BaseException as error:
                future.set_exception(error)

        self._jobs.put(run)
        return future

    def map(self, job: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        """Run a job for each item and return their results."""
        return [future.result() for future in [self.submit(job, item) for item in items]]

    def _serve(self) -> None:
        while (run := self._jobs.get()) is not None:
            run()
