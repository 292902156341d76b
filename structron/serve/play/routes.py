"""The routes of the playground."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterable
from dataclasses import asdict, is_dataclass
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse

from structron.errors import StructronError
from structron.serve.app import JSON, Service, body_of, reply
from structron.serve.pages import page
from structron.serve.play.classroom import Classroom
from structron.serve.play.correcting import corrected, corrects
from structron.serve.play.exhibit import EXAMPLES, SEARCHES, UPDATES, exhibit
from structron.serve.play.films import LONGEST, editor_of, film, searched
from structron.serve.play.lessons import EPOCHS, SENTENCES, Lesson, wanted
from structron.serve.play.task_play import learned
from structron.serve.refusals import CONFLICT, TOO_LARGE, UNFIT, UNKNOWN, Refused
from structron.serve.requests import check_type, fields_of, parsed, read

EVENTS = "text/event-stream"
REASONS = 40  # features of a decision that are sent; the page adds up those that say the same
PAUSE = 0.25  # seconds between two updates of an exhibit: a class can follow
CHOICES = {
    "search": ["greedy", "beam:2", "beam:4", "beam:8", "beam:16", "exact"],
    "update": ["standard", "early", "hybrid", "latest", "max_violation", "laso"],
    "learner": ["perceptron", "perceptron:plain", "perceptron:margin=20", "mira", "mira:5"],
}


def add_playground(app: FastAPI, service: Service) -> None:
    """Add the page and its routes."""
    classroom = Classroom(service.registry)
    before = app.router.lifespan_context

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[Any]:
        async with before(app) as state:
            yield state
        classroom.close()

    app.router.lifespan_context = life

    @app.get("/", include_in_schema=False)
    async def start() -> Response:
        return page("index.html")

    _asking(app, service)
    _lessons(app, classroom)

    @app.get("/play/exhibit", include_in_schema=False)
    async def show(example: str = "fruit", search: str = "greedy", update: str = "standard") -> Response:
        return _events(_slowly(exhibit(example, search, update)))


def _asking(app: FastAPI, service: Service) -> None:
    @app.get("/play/state", include_in_schema=False)
    async def state() -> Response:
        choices = CHOICES | {"epochs": EPOCHS, "sentences": SENTENCES, "task": learned()}
        exhibits = {
            name: {"words": list(each.words), "said": each.said, "names": list(each.names)}
            for name, each in EXAMPLES.items()
        }
        models = [
            model.about()
            | {
                "explains": hasattr(model.estimator, "explain"),
                "editor": editor_of(model),
                "corrects": corrects(model),
            }
            for model in service.registry.models.values()
        ]
        return reply(
            {
                "models": models,
                "choices": choices,
                "exhibits": {"examples": exhibits, "search": list(SEARCHES), "update": list(UPDATES)},
            }
        )

    @app.post("/play/film", include_in_schema=False)
    async def make_film(request: Request) -> Response:
        value = await _json(request)
        return reply(await _in_thread(film, value, service.registry, service.limits))

    @app.post("/play/correct", include_in_schema=False)
    async def correct(request: Request) -> Response:
        value = await _json(request)
        return reply(await _in_thread(corrected, value, service.registry, service.limits), 201)

    @app.post("/play/explain", include_in_schema=False)
    async def explain(request: Request) -> Response:
        value = fields_of(await _json(request), ("model", "input", "search"))
        model = searched(service.registry.find(value.get("model")), value.get("search"))
        x = read(model, value.get("input"), "input", service.limits)
        if not hasattr(model.estimator, "explain"):
            raise Refused(CONFLICT, f"model: {model.name!r} does not explain itself; name another")
        if len(x.split() if isinstance(x, str) else x) > LONGEST:
            raise Refused(TOO_LARGE, f"input: {LONGEST} words at most are explained; give fewer")
        found = plain(await _in_thread(model.estimator.explain, x))
        # A pipeline explains each stage: all of them are decisions of one text.
        is_whole = "decisions" in found
        decisions = [
            each | ({} if is_whole else {"stage": name})
            for name, part in ({"": found} if is_whole else found).items()
            for each in part["decisions"]
        ]
        return reply({"explanation": shortened({"decisions": decisions})})


def _lessons(app: FastAPI, classroom: Classroom) -> None:
    @app.post("/play/lessons", include_in_schema=False)
    async def begin(request: Request) -> Response:
        lesson = classroom.start(wanted(await _json(request)))
        return reply({"lesson": lesson.number, "model": lesson.name, "key": lesson.key}, 201)

    async def owned(number: str, request: Request) -> Lesson:
        classroom.find(_number(number))  # that there is none is said before whose it is
        given = fields_of(await _json(request), ("key",))
        return classroom.owned(_number(number), given.get("key"))

    @app.get("/play/lessons", include_in_schema=False)
    async def under_way() -> Response:
        return reply({"places": classroom.places, "lessons": classroom.listed()})

    @app.get("/play/lessons/{number}/events", include_in_schema=False)
    async def watch(number: str) -> Response:
        lesson = classroom.find(_number(number))
        return _events(classroom.events(lesson.number))

    @app.post("/play/lessons/{number}/stop", include_in_schema=False)
    async def stop(number: str, request: Request) -> Response:
        classroom.stop((await owned(number, request)).number)
        return reply({"stopped": True})

    @app.post("/play/lessons/{number}/{verb}", include_in_schema=False)
    async def hold(number: str, verb: str, request: Request) -> Response:
        lesson = await owned(number, request)
        verbs = {"pause": lesson.pause, "step": lesson.step, "resume": lesson.resume}
        if verb not in verbs:
            raise Refused(UNKNOWN, "there is no such page; see /docs")
        verbs[verb]()
        return reply({verb: True})

    @app.get("/play/lessons/{number}/features", include_in_schema=False)
    async def features(number: str) -> Response:
        lesson = classroom.find(_number(number))
        return reply({"features": await _in_thread(lesson.features)})

    @app.get("/play/lessons/{number}/features/{key}", include_in_schema=False)
    async def history(number: str, key: str) -> Response:
        lesson = classroom.find(_number(number))
        if not (key.isascii() and key.isdigit() and len(key) <= 20 and int(key) < 2**64):
            raise Refused(UNKNOWN, "feature: there is none of this key; see /play/lessons/N/features")
        return reply({"curves": await _in_thread(lesson.history, int(key))})

    @app.get("/play/lessons/{number}/model", include_in_schema=False)
    async def download(number: str) -> Response:
        lesson = classroom.find(_number(number))
        if not lesson.is_over or lesson.estimator is None:
            raise Refused(
                CONFLICT, "lesson: it has not learned anything yet, or is not over; wait or stop it"
            )
        data = await asyncio.to_thread(lesson.model_bytes)
        headers = {"content-disposition": f'attachment; filename="{lesson.name}.model"'}
        return Response(data, media_type="application/octet-stream", headers=headers)


async def _json(request: Request) -> Any:
    check_type(request.headers.get("content-type"), JSON)
    return parsed(await body_of(request))


async def _in_thread(work: Any, *given: Any) -> Any:
    """Run what may take a moment in a thread, with its refusals."""
    try:
        return await asyncio.to_thread(work, *given)
    except StructronError as error:
        raise Refused(UNFIT, str(error)) from None


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _events(source: AsyncIterator[dict[str, Any]]) -> Response:
    """Send server-sent events, one for each value."""

    async def lines() -> AsyncIterator[bytes]:
        async for event in source:
            yield f"data: {json.dumps(event)}\n\n".encode()

    return StreamingResponse(lines(), media_type=EVENTS)


async def _slowly(rows: Iterable[dict[str, Any]]) -> AsyncIterator[dict[str, Any]]:
    for row in rows:
        yield row
        await asyncio.sleep(PAUSE)


def shortened(explanation: Any) -> Any:
    """Keep the strongest features of each decision; they come first."""
    for decision in explanation.get("decisions", []) if isinstance(explanation, dict) else []:
        decision["features"] = decision.get("features", [])[:REASONS]
    return explanation


def plain(value: Any, depth: int = 0) -> Any:
    """Return an explanation as JSON, whatever objects it is made of."""
    if depth > 8 or isinstance(value, str | int | float | bool | None):
        return value if depth <= 8 else str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value), depth + 1)
    if hasattr(value, "_asdict"):
        return plain(value._asdict(), depth + 1)
    if isinstance(value, dict):
        return {str(name): plain(each, depth + 1) for name, each in value.items()}
    if isinstance(value, list | tuple | set):
        return [plain(each, depth + 1) for each in value]
    return str(value)
