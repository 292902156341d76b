"""Threads that jobs are given to: as many as were wished for, or as the system starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, Self, TypeVar

from structron.errors import SettingError

Item = TypeVar("Item")
Made = TypeVar("Made")


class Hands:
    """They take jobs in the order in which these came; what a job raises is raised by its `Future`.

    `concurrent.futures.ThreadPoolExecutor` starts threads as jobs come, and where one cannot be started it
    neither gives the job back nor goes on with those it has.
    """

    def __init__(self, wished: int) -> None:
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads: list[Thread] = []
        for _ in range(wished):
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

    def submit(self, job: Callable[..., Made], *args: Any) -> Future[Made]:
        """One more job."""
        future: Future[Made] = Future()

        def run() -> None:
            try:
                future.set_result(job(*args))
            except BaseException as error:
                future.set_exception(error)

        self._jobs.put(run)
        return future

    def map(self, job: Callable[[Item], Made], items: Iterable[Item]) -> list[Made]:
        """A job for each item, and what they give."""
        return [future.result() for future in [self.submit(job, item) for item in items]]

    def _serve(self) -> None:
        while (run := self._jobs.get()) is not None:
            run()
