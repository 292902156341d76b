"""Predictions for which there is no room: told so by the connection, before anything is made of them."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import http.client
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.serve.conftest import PATIENCE

uvicorn = pytest.importorskip("uvicorn", reason="needs structron[serve]")

from structron.serve.guard import Guard  # noqa: E402
from structron.serve.limits import Limits  # noqa: E402
from structron.serve.metrics import Metrics  # noqa: E402
from structron.serve.refusals import BUSY, Refused  # noqa: E402
from structron.serve.timeouts import limited_protocol  # noqa: E402

OURS = {"Authorization": "Bearer t", "Content-Type": "application/json"}


@dataclass
class World:
    """A server whose queue is as full as a test wants it, and which counts what gets through."""

    is_full: bool = True
    bodies: list[bytes] = field(default_factory=list)
    metrics: Metrics = field(default_factory=Metrics)
    limits: Limits = field(default_factory=lambda: Limits(body=100_000, requests=2, connections=16))
    port: int = 0
    release: threading.Event = field(default_factory=threading.Event)
    guard: Any = None

    def connections(self) -> int:
        """How many there are in memory, closed or not."""
        gc.collect()
        return sum(issubclass(type(each), asyncio.Transport) for each in gc.get_objects())

    def check_room(self, size: int) -> None:
        if self.is_full:
            self.metrics.refused("queue")
            raise Refused(BUSY, "the queue is full; ask again", 1)

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        self.bodies.append(body)
        if body == b"wait":
            while not self.release.is_set():
                await asyncio.sleep(0.01)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    def connect(self) -> contextlib.closing[http.client.HTTPConnection]:
        return contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE))


@pytest.fixture
def world() -> Iterator[World]:
    made = World()
    made.guard = Guard(made.app, made.limits, made.metrics, "t", ("127.0.0.1",), made.check_room)
    protocol = limited_protocol(made.limits, made.guard.turned_away)
    config = uvicorn.Config(made.guard, port=0, http=protocol, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    made.port = server.servers[0].sockets[0].getsockname()[1]
    yield made
    made.release.set()
    server.should_exit = True
    thread.join(PATIENCE)
    assert made.guard.coming == 0  # whoever was let in has come


def answered(connection: http.client.HTTPConnection, body: Any, **more: str) -> tuple[int, Any, bool]:
    connection.request("POST", "/predict", body, OURS | more)
    answer = connection.getresponse()
    said = answer.read()
    return answer.status, said if answer.status == 200 else json.loads(said), answer.will_close


def test_its_connection_stays_and_nothing_gets_through(world: World) -> None:
    with world.connect() as connection:
        for body in (b'{"input": "dogs"}', b"not JSON", b"", b"x" * 90_000):
            assert answered(connection, body) == (503, {"error": "the queue is full; ask again"}, False)
        world.is_full = False
        assert answered(connection, b"now") == (200, b"ok", False)
    assert world.bodies == [b"now"]
    assert sum(world.metrics.refusals.values()) == 4
    assert world.metrics.requests[("route", "/predict"), ("status", "503")] == 4


def test_who_may_not_ask_is_told_that_and_what_is_not_plain_goes_the_long_way(world: World) -> None:
    for more, status in (
        ({"Authorization": "Bearer x"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Content-Length": "200000"}, 413),
        ({"Connection": "close"}, 503),
    ):
        with world.connect() as connection:
            found, said, _ = answered(connection, b"", **more)
            assert found == status and "Traceback" not in said["error"]
    with world.connect() as connection:
        connection.request("POST", "/predict", iter([b"in ", b"pieces"]), OURS, encode_chunked=True)
        assert connection.getresponse().status == 503
    assert not world.bodies


def test_so_many_requests_are_under_way_and_no_more(world: World) -> None:
    world.is_full = False
    first, second = world.connect(), world.connect()
    with first as one, second as two, world.connect() as three:
        for connection in (one, two):
            connection.request("POST", "/predict", b"wait", OURS)
        while len(world.bodies) < 2:
            time.sleep(0.01)
        assert answered(three, b"more") == (503, {"error": "2 requests are under way; ask again"}, False)
        world.release.set()
        assert [connection.getresponse().read() for connection in (one, two)] == [b"ok", b"ok"]
        deadline = time.monotonic() + PATIENCE
        while answered(three, b"more")[0] != 200:
            assert time.monotonic() < deadline
    assert world.bodies[-1] == b"more"


def test_too_many_clients_are_told_so_and_nothing_of_them_stays(world: World) -> None:
    with contextlib.ExitStack() as stack:
        idle = [stack.enter_context(world.connect()) for _ in range(world.limits.connections)]
        for connection in idle:
            connection.connect()
        for _ in range(50):
            with world.connect() as connection:
                assert answered(connection, b"") == (503, {"error": "too many clients; ask again"}, True)
        deadline = time.monotonic() + world.limits.seconds / 3  # long before their patience is over
        while world.connections() > len(idle):
            assert time.monotonic() < deadline
            time.sleep(0.05)
