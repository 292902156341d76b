"""A training goes on as long as somebody watches it, and a little longer."""

from __future__ import annotations

import asyncio
from typing import Any

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


def test_trainings_wait_for_their_turn_and_are_told_their_place() -> None:
    async def class_of_thirty() -> None:
        classroom = Classroom(ModelRegistry(), patience=PATIENCE, places=2)
        lessons = [classroom.start(wanted(LONG)) for _ in range(30)]
        assert [each["place"] for each in classroom.listed()] == [0, 0, *range(1, 29)]
        assert lessons[29].events[-1] == {"kind": "queue", "place": 28}
        # One that waits is over at once, and those behind it move up.
        classroom.stop(lessons[10].number)
        assert lessons[10].events[-1] == {"kind": "end", "stopped": True, "model": None}
        assert lessons[29].events[-1] == {"kind": "queue", "place": 27}
        # The end of one that runs lets the next begin.
        classroom.stop(lessons[0].number)
        await asyncio.wait_for(ended(lessons[0]), PATIENCE)
        while not any(event["kind"] == "start" for event in lessons[2].events):
            await asyncio.sleep(0.01)
        assert lessons[29].events[-1]["place"] == 26
        classroom.close()

    asyncio.run(class_of_thirty())


def test_a_training_that_waits_unwatched_leaves_the_queue() -> None:
    async def leave() -> None:
        classroom = Classroom(ModelRegistry(), patience=0, places=1)
        first = classroom.start(wanted(LONG))
        page = classroom.events(first.number)
        await anext(page)
        second = classroom.start(wanted(LONG))
        await asyncio.wait_for(ended(second), PATIENCE)
        assert not first.is_over and [each["lesson"] for each in classroom.listed()] == [first.number]
        await page.aclose()
        await asyncio.wait_for(ended(first), PATIENCE)
        classroom.close()

    asyncio.run(leave())


def test_a_training_is_held_and_stepped_example_by_example() -> None:
    async def hold() -> None:
        registry = ModelRegistry()
        classroom = Classroom(registry, patience=PATIENCE)
        lesson = classroom.start(wanted({"task": "tagging", "sentences": 50, "epochs": 100}))
        page = classroom.events(lesson.number)
        lesson.pause()

        async def until(kind: str) -> dict[str, Any]:
            while (event := await anext(page))["kind"] != kind:
                pass
            return event

        held = await until("paused")
        assert len(held["text"].split()) == len(held["gold"]) and held["model"] in registry.models
        lesson.step()
        point = await until("point")
        again = await until("paused")
        assert again["text"] != held["text"]
        lesson.step()
        assert (await until("point"))["seen"] == point["seen"] + 1
        lesson.resume()
        await until("epoch")
        lesson.stop()
        await asyncio.wait_for(ended(lesson), PATIENCE)
        await page.aclose()
        classroom.close()

    asyncio.run(hold())
