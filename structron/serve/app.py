"""The routes of the server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import warnings
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from structron.errors import StructronError, StructronWarning
from structron.serve import openapi as described
from structron.serve.batching import Batcher, Job
from structron.serve.limits import Limits
from structron.serve.lines import LineByLine
from structron.serve.metrics import CONTENT_TYPE, Metrics
from structron.serve.pages import add_pages
from structron.serve.refusals import CONFLICT, FAILED, FORBIDDEN, GONE, METHOD, UNKNOWN, Refused
from structron.serve.registry import ModelRegistry
from structron.serve.requests import asked, check_task, check_type, parsed

JSON, LINES = "application/json", "application/x-ndjson"
Say = Callable[[str], None]


@dataclass(frozen=True)
class Service:
    """The parts that all routes share.

    Attributes
    ----------
    say
        Tells who runs the server what a client need not know.
    may_reload
        Whether a request may have a model read again: only one with a token may.
    """

    registry: ModelRegistry
    limits: Limits
    metrics: Metrics
    batcher: Batcher
    say: Say
    may_reload: bool = False


def make_app(service: Service) -> FastAPI:
    """Return the server without its guard and without the playground."""

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        service.batcher.start()
        # A warning quotes what a model has never seen: it is for the client, and not for a log.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StructronWarning)
            yield
        await service.batcher.stop()

    app = FastAPI(
        title="structron",
        description=described.SERVER,
        version=version("structron"),
        lifespan=life,
        docs_url=None,  # FastAPI's own pages load scripts from elsewhere
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,  # what generated clients call their functions
    )
    gauges = service.metrics.gauges
    gauges["structron_queue_inputs"] = ("Inputs that wait for the engine.", lambda: service.batcher.waiting)
    gauges["structron_models"] = ("Models that are served.", lambda: len(service.registry.models))
    _refusals(app)
    _asking(app, service)
    _looking(app, service)
    add_pages(app)
    return app


def reply(value: Any, status: int = 200) -> Response:
    """Return JSON; faster than FastAPI's own way, which looks at every value."""
    return Response(json.dumps(value, ensure_ascii=False).encode(), status, media_type=JSON)


def _refusals(app: FastAPI) -> None:
    """Give all errors one shape."""

    async def failed(_: Request, error: Exception) -> Response:
        return JSONResponse({"error": "the server failed on this request; please report it"}, FAILED)

    async def missing(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        said = {
            UNKNOWN: "there is no such page; see /docs",
            METHOD: f"{request.method} is not possible here; see /docs",
        }
        return JSONResponse(
            {"error": said.get(error.status_code, "the request cannot be answered; see /docs")},
            error.status_code,
            error.headers,
        )

    async def refused(request: Request, error: Exception) -> Response:
        request.scope["refused"] = error
        return _Silent()

    app.add_exception_handler(Refused, refused)
    app.add_exception_handler(HTTPException, missing)
    app.add_exception_handler(Exception, failed)


class _Silent(Response):
    """No answer: the guard gives it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send nothing."""


def _asking(app: FastAPI, service: Service) -> None:
    registry, batcher, metrics = service.registry, service.batcher, service.metrics

    @app.post("/predict", openapi_extra=described.PREDICT, responses=described.ANSWERS)
    async def predict(request: Request) -> Response:
        """Predict outputs for one input, or for several."""
        check_type(request.headers.get("content-type"), JSON)
        wanted = asked(parsed(await body_of(request)), registry, service.limits)
        job = batcher.submit(wanted.model, wanted.inputs, wanted.kbest)
        answers = await _unless_gone(request, batcher, job)
        metrics.answered(wanted.model.name, len(answers))
        return reply(wanted.body(answers))

    @app.post("/predict/stream", openapi_extra=described.STREAM, responses=described.STREAM_ANSWERS)
    async def stream(request: Request) -> Response:
        """Answer each line of JSON with a line of JSON, in order, as soon as it is there."""
        check_type(request.headers.get("content-type"), LINES)
        query = request.query_params
        model = registry.find(query.get("model"))
        check_task(model, query.get("task"))
        line_by_line = LineByLine(model, batcher, metrics)
        return _Flowing(line_by_line.answers(_chunks(request)), media_type=LINES)


class _Flowing(StreamingResponse):
    """An answer that begins before the request is whole; Starlette's own would read the rest of it away."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.stream_response(send)


async def body_of(request: Request) -> bytes:
    """Read a whole body; a client that leaves before that gets nothing, and nothing fails."""
    try:
        return await request.body()
    except ClientDisconnect:
        raise Refused(GONE, "the client is gone; nobody reads this") from None


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    with contextlib.suppress(ClientDisconnect):
        async for chunk in request.stream():
            yield chunk


async def _unless_gone(request: Request, batcher: Batcher, job: Job) -> list[Any]:
    """Wait for the answers; take a job out of the queue when its client is gone."""
    # After the body there is nothing more to receive but the end of the connection.
    gone = asyncio.ensure_future(request.receive())
    gone.add_done_callback(lambda _: job.answer.cancel())
    try:
        return await batcher.answered(job)
    finally:
        gone.cancel()


def _looking(app: FastAPI, service: Service) -> None:
    registry, batcher, metrics = service.registry, service.batcher, service.metrics

    @app.get("/health", responses=described.HEALTH)
    async def health() -> Response:
        """Say that the server lives, and how many inputs wait."""
        return reply({"status": "ok", "models": len(registry.models), "waiting": batcher.waiting})

    @app.get("/models", responses=described.MODELS)
    async def models() -> Response:
        """List the models: what they take, what they give, how they were made."""
        return reply({"models": [model.about() for model in registry.models.values()]})

    @app.get("/models/{name}", responses=described.MODEL)
    async def model(name: str) -> Response:
        """Describe one model."""
        return reply(registry.find(name).about())

    @app.post("/models/{name}/reload", responses=described.RELOADED)
    async def reload(name: str) -> Response:
        """Read a model's file again; requests that are under way keep the old one. Needs a token."""
        if not service.may_reload:
            raise Refused(FORBIDDEN, "only a server with a token reloads on request; start it with --token")
        if name not in registry.places:
            raise Refused(UNKNOWN, "model: there is none of this name that came from a file; see /models")
        try:
            loaded = await asyncio.to_thread(registry.load, name)
        except StructronError as error:
            metrics.reloaded(well=False)
            service.say(f"reload: {error}")
            raise Refused(CONFLICT, "model: its new file cannot be used, and the old one stays") from None
        metrics.reloaded(well=True)
        return reply(loaded.about())

    @app.get("/metrics", responses=described.METRICS)
    async def measured() -> Response:
        """Return counts for Prometheus."""
        return Response(metrics.text(), media_type=CONTENT_TYPE)
