"""The lessons that run and those that are over; few of both, so that nobody fills the machine."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from structron.serve.play.lessons import Lesson, Wanted
from structron.serve.refusals import BUSY, UNKNOWN, Refused
from structron.serve.registry import ModelRegistry

RUNNING, KEPT = 4, 12
PATIENCE = 10.0  # seconds that a training goes on unwatched: a page may be loaded again


class Classroom:
    """Lessons by number. All but the learning itself runs in the event loop."""

    def __init__(self, registry: ModelRegistry, patience: float = PATIENCE) -> None:
        self.registry, self.patience = registry, patience
        self.lessons: dict[int, Lesson] = {}
        self._numbers = itertools.count(1)
        self._pool = ThreadPoolExecutor(RUNNING, thread_name_prefix="lesson")
        self._changed: dict[int, asyncio.Event] = {}
        self._watched: Counter[int] = Counter()

    def start(self, wanted: Wanted) -> Lesson:
        """Begin a lesson, or refuse it if too many run."""
        if sum(not lesson.is_over for lesson in self.lessons.values()) >= RUNNING:
            raise Refused(BUSY, f"{RUNNING} trainings run already; stop one, or come again", 5)
        over = [number for number, lesson in self.lessons.items() if lesson.is_over]
        for number in over[: max(0, len(self.lessons) + 1 - KEPT)]:
            self.registry.remove(self.lessons.pop(number).name)
            del self._changed[number]
        number, loop, changed = next(self._numbers), asyncio.get_running_loop(), asyncio.Event()

        def notify() -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(changed.set)

        lesson = Lesson(number, wanted, notify)
        self.lessons[number], self._changed[number] = lesson, changed
        done = loop.run_in_executor(self._pool, lesson.run)
        done.add_done_callback(lambda _: self._over(lesson))
        self._stop_unwatched(lesson)
        return lesson

    def find(self, number: int) -> Lesson:
        """Return a lesson by its number."""
        if number not in self.lessons:
            raise Refused(UNKNOWN, "lesson: there is none of this number any more; start another")
        return self.lessons[number]

    async def events(self, number: int) -> AsyncIterator[dict[str, Any]]:
        """Yield all that happened, then all that happens, until the lesson is over."""
        lesson, changed, told = self.find(number), self._changed[number], 0
        self._watched[number] += 1
        try:
            while True:
                changed.clear()
                while told < len(lesson.events):
                    yield lesson.events[told]
                    told += 1
                if lesson.is_over and told == len(lesson.events):
                    return
                await changed.wait()
        finally:
            self._watched[number] -= 1
            self._stop_unwatched(lesson)

    def _stop_unwatched(self, lesson: Lesson) -> None:
        """Stop a lesson that nobody watches, after a while: its page is gone, and others wait."""

        def stop() -> None:
            if not self._watched[lesson.number]:
                lesson.stop()

        if not self._watched[lesson.number] and not lesson.is_over:
            asyncio.get_running_loop().call_later(self.patience, stop)

    def close(self) -> None:
        """Stop all; nobody waits for them."""
        for lesson in self.lessons.values():
            lesson.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _over(self, lesson: Lesson) -> None:
        """Let the model be asked like any other."""
        if lesson.estimator is not None and lesson.number in self.lessons:
            self.registry.add(lesson.name, lesson.estimator)
