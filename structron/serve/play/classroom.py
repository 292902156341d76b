"""The lessons that run, those that wait, and those that are over: enough for a class of thirty."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import itertools
import os
from collections import Counter, deque
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from structron.serve.play.lessons import Lesson, Wanted
from structron.serve.refusals import BUSY, FORBIDDEN, UNKNOWN, Refused
from structron.serve.registry import ModelRegistry

RUNNING = max(4, os.cpu_count() or 1)  # trainings at a time; they share the processors
WAITING, KEPT = 150, 40  # thirty visitors who compare five settings each wait together
PATIENCE = 10.0  # seconds that a training goes on unwatched: a page may be loaded again


class Classroom:
    """Lessons by number. All but the learning itself runs in the event loop."""

    def __init__(self, registry: ModelRegistry, patience: float = PATIENCE, places: int = RUNNING) -> None:
        self.registry, self.patience, self.places = registry, patience, places
        self.lessons: dict[int, Lesson] = {}
        self._queue: deque[Lesson] = deque()
        self._running = 0
        self._numbers = itertools.count(1)
        self._pool = ThreadPoolExecutor(places, thread_name_prefix="lesson")
        self._changed: dict[int, asyncio.Event] = {}
        self._watched: Counter[int] = Counter()

    def start(self, wanted: Wanted) -> Lesson:
        """Begin a lesson, or let it wait for its turn; refuse it if too many wait."""
        if len(self._queue) >= WAITING:
            raise Refused(BUSY, f"{WAITING} trainings wait already; stop one, or come again", 5)
        over = [number for number, lesson in self.lessons.items() if lesson.is_over]
        for number in over[: max(0, len(over) + 1 - KEPT)]:
            self.registry.remove(self.lessons.pop(number).name)
            del self._changed[number]
        number, loop = next(self._numbers), asyncio.get_running_loop()

        def notify() -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(self._told, lesson)

        lesson = Lesson(number, wanted, notify)
        self.lessons[number], self._changed[number] = lesson, asyncio.Event()
        self._queue.append(lesson)
        self._advance()
        self._stop_unwatched(lesson)
        return lesson

    def find(self, number: int) -> Lesson:
        """Return a lesson by its number."""
        if number not in self.lessons:
            raise Refused(UNKNOWN, "lesson: there is none of this number any more; start another")
        return self.lessons[number]

    def owned(self, number: int, key: Any) -> Lesson:
        """Return a lesson by its number, to the page that began it and to no other."""
        lesson = self.find(number)
        if not isinstance(key, str) or not hmac.compare_digest(key.encode("utf-8", "replace"), lesson.key.encode()):
            raise Refused(FORBIDDEN, "key: another page began this training; ask whoever sits before it")
        return lesson

    def stop(self, number: int) -> None:
        """Stop a lesson; one that waits is over at once."""
        lesson = self.find(number)
        if lesson in self._queue:
            self._queue.remove(lesson)
            lesson.give_up()
            self._tell_places()
        lesson.stop()

    def listed(self) -> list[dict[str, Any]]:
        """Return the lessons that run and those that wait, in the order of their turns."""
        running = [each for each in self.lessons.values() if not each.is_over and each not in self._queue]
        return [
            {
                "lesson": lesson.number,
                "task": lesson.wanted.task,
                "settings": lesson.wanted.settings,
                "place": place,
                "watched": self._watched[lesson.number] > 0,
            }
            for place, lesson in [*((0, each) for each in running), *enumerate(self._queue, 1)]
        ]

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

    def close(self) -> None:
        """Stop all; nobody waits for them."""
        self._queue.clear()
        for lesson in self.lessons.values():
            lesson.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _advance(self) -> None:
        """Begin as many lessons as there are places, and tell the others theirs."""
        while self._queue and self._running < self.places:
            lesson = self._queue.popleft()
            self._running += 1
            done = asyncio.get_running_loop().run_in_executor(self._pool, lesson.run)
            done.add_done_callback(lambda _: self._over())
        self._tell_places()

    def _tell_places(self) -> None:
        for place, lesson in enumerate(self._queue, 1):
            lesson.tell_place(place)

    def _over(self) -> None:
        self._running -= 1
        with contextlib.suppress(RuntimeError):  # the pool is closed, and the server ends
            self._advance()

    def _told(self, lesson: Lesson) -> None:
        """Wake those who watch, and let the model be asked like any other."""
        if lesson.number not in self.lessons:
            return
        known = self.registry.models.get(lesson.name)
        if lesson.estimator is not None and (known is None or known.estimator is not lesson.estimator):
            self.registry.add(lesson.name, lesson.estimator)
        self._changed[lesson.number].set()

    def _stop_unwatched(self, lesson: Lesson) -> None:
        """Stop a lesson that nobody watches, after a while: its page is gone, and others wait."""

        def stop() -> None:
            if not self._watched[lesson.number] and lesson.number in self.lessons:
                self.stop(lesson.number)

        if not self._watched[lesson.number] and not lesson.is_over:
            asyncio.get_running_loop().call_later(self.patience, stop)
