"""A training goes on as long as somebody watches it, and a little longer."""

from __future__ import annotations

import asyncio

from structron.serve.play.classroom import Classroom
from structron.serve.play.lessons import Lesson, wanted
from structron.serve.registry import ModelRegistry

LONG = {"sentences": 2000, "epochs": 100}
PATIENCE = 60  # seconds until a test that hangs is given up


async def ended(lesson: Lesson) -> None:
    while not lesson.is_over:
        await asyncio.sleep(0.01)


def test_a_training_whose_page_is_gone_is_stopped() -> None:
    async def watch() -> None:
        classroom = Classroom(ModelRegistry(), patience=0)
        lesson = classroom.start(wanted(LONG))
        pages = [classroom.events(lesson.number) for _ in range(2)]
        for page in pages:
            await anext(page)
        await pages[0].aclose()
        assert (await anext(pages[1]))["kind"] == "point"  # somebody still watches
        await pages[1].aclose()
        await asyncio.wait_for(ended(lesson), PATIENCE)
        assert lesson.events[-1]["kind"] == "end" and lesson.events[-1]["stopped"]
        assert lesson.estimator is not None  # what was learned is kept
        classroom.close()

    asyncio.run(watch())


def test_a_training_that_nobody_ever_watches_is_stopped() -> None:
    async def begin() -> None:
        classroom = Classroom(ModelRegistry(), patience=0)
        lesson = classroom.start(wanted(LONG))
        await asyncio.wait_for(ended(lesson), PATIENCE)
        assert lesson.events[-1].get("stopped"), lesson.events[-1]
        classroom.close()

    asyncio.run(begin())


def test_a_page_that_comes_back_in_time_finds_its_training() -> None:
    async def reload() -> None:
        classroom = Classroom(ModelRegistry(), patience=PATIENCE)
        lesson = classroom.start(wanted(LONG))
        page = classroom.events(lesson.number)
        await anext(page)
        await page.aclose()
        page = classroom.events(lesson.number)
        assert (await anext(page))["kind"] == "start"
        assert not lesson.is_over
        lesson.stop()
        await asyncio.wait_for(ended(lesson), PATIENCE)
        await page.aclose()
        classroom.close()

    asyncio.run(reload())
