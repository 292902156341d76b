"""The guard before every route: who may ask, how much and how long.

Plain ASGI, outermost, so that whatever happens inside the client gets one sentence and no trace, and nobody
waits for a client for ever.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from typing import Any

from structron.serve.limits import KIB, Limits
from structron.serve.metrics import Metrics
from structron.serve.refusals import BUSY, DENIED, FAILED, GONE, MISDIRECTED, SLOW, TOO_LARGE, Refused
from structron.serve.timeouts import ABORT, EXPECTED, PREDICT

Scope = MutableMapping[str, Any]
Headers = Sequence[tuple[bytes, bytes]]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# What needs no token: whether the server lives, and pages, which hold nothing and send the token themselves.
OPEN = ("/health", "/", "/docs")
OPEN_UNDER = "/static/"
STREAM = "/predict/stream"
LINGER, LINGER_BYTES = 1.0, 16 * 1024 * KIB  # how long, and how much, a refused client may go on sending
RETRY = 1  # seconds after which a refused client may come again
LOCAL = ("localhost", "127.0.0.1", "[::1]")

# Nothing from elsewhere, and no page of another origin around ours.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: list[tuple[bytes, bytes]] = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", POLICY.encode()),
    (b"cache-control", b"no-store"),
]


class Guard:
    """The application behind its limits.

    Parameters
    ----------
    token
        Which requests must carry as ``Authorization: Bearer``; None for no token.
    hosts
        The names under which the server may be called; empty for any. A page of another origin whose name is
        made to point here (DNS rebinding) is so kept out of a server on the loopback interface.
    check_room
        Refuses a prediction where nothing more can wait: before its body is looked at, since a server that
        spends its time on refusals answers nobody.
    """

    def __init__(
        self,
        app: App,
        limits: Limits,
        metrics: Metrics,
        token: str | None = None,
        hosts: Iterable[str] = (),
        check_room: Callable[[int], None] = lambda size: None,
    ) -> None:
        self.app, self.limits, self.metrics = app, limits, metrics
        self.token = None if token is None else token.encode()
        self.hosts = frozenset(host.lower() for host in hosts)
        self.check_room = check_room
        self.coming = 0  # predictions that a connection has let in, and that have not come here yet

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass on the beginning and end of the process."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        if scope.pop(EXPECTED, False):
            self.coming -= 1
        answer = _Answer(receive, send, self.limits)
        if scope["method"] == "HEAD" and not scope["path"].startswith("/play/"):  # those may go on for ever
            scope = {**scope, "method": "GET"}  # the server sends the head alone
        try:
            self._check(scope)
            limited = self._limited(scope, answer)
            if scope["path"] == PREDICT:
                await self._check_room(limited, answer)
            await self.app(scope, limited, answer.send)
            if "refused" in scope:  # said by a route; Starlette would make a failure of an exception
                raise scope["refused"]
        except Refused as refused:
            await answer.refuse(refused)
        except TimeoutError:  # the client does not read; to close the connection would wait for it again
            scope.get(ABORT, lambda: None)()
        except Exception:
            await answer.refuse(Refused(FAILED, "the server failed on this request; please report it"))
        finally:
            route = getattr(scope.get("route"), "path", PREDICT if scope["path"] == PREDICT else "other")
            self.metrics.request(route, answer.status or GONE, time.perf_counter() - began)

    def turned_away(self, headers: Headers, under_way: int) -> Refused | None:
        """Return the refusal of a prediction for which nothing more can wait; None to let it in.

        The connection asks this before it makes a request of what it reads: at twice of what can be answered
        half of all requests end here, and each costs a fraction of what it would cost later.
        """
        try:
            self._check({"path": PREDICT, "headers": headers})
        except Refused:
            pass  # to be told so in the usual way
        else:
            try:
                if under_way >= self.limits.requests:
                    self.metrics.refused("requests")
                    raise Refused(BUSY, f"{under_way:,} requests are under way; ask again", RETRY)
                self.check_room(1 + self.coming)
            except Refused as refused:
                self.metrics.request(PREDICT, refused.status, 0.0)
                return refused
        self.coming += 1
        return None

    def _check(self, scope: Scope) -> None:
        """Refuse who may not ask."""
        headers = dict(scope["headers"])
        if self.hosts:
            host = headers.get(b"host", b"").decode("latin-1").lower()
            if host.rpartition(":")[0] not in self.hosts and host not in self.hosts:
                raise Refused(MISDIRECTED, "Host: not a name of this server; allow it with --allow-host")
        path = scope["path"]
        if self.token is None or path in OPEN or path.startswith(OPEN_UNDER):
            return
        kind, _, given = headers.get(b"authorization", b"").partition(b" ")
        # In constant time, whatever is given.
        if not (hmac.compare_digest(given.strip(), self.token) and kind.lower() == b"bearer"):
            raise Refused(DENIED, "Authorization: a token is needed; send Bearer and the token")

    async def _check_room(self, receive: Receive, answer: _Answer) -> None:
        try:
            self.check_room(1)
        except Refused:
            while not answer.is_whole:  # read away, the connection can be used again
                await receive()
            raise

    def _limited(self, scope: Scope, answer: _Answer) -> Receive:
        """Limit the size of bodies and the time they take; parts of a stream have a time each."""
        limits, is_stream = self.limits, scope["path"] == STREAM
        length = dict(scope["headers"]).get(b"content-length", b"")
        if not is_stream and length.isdigit() and (len(length) > 18 or int(length) > limits.body):
            raise self._too_large()
        loop = asyncio.get_running_loop()
        until, size, receive = loop.time() + limits.seconds, 0, answer.receive

        async def limited() -> Message:
            nonlocal size
            if answer.is_whole:  # what comes now is the end of the connection; that may be waited for
                return await receive()
            try:
                async with asyncio.timeout_at(loop.time() + limits.seconds if is_stream else until):
                    message = await receive()
            except TimeoutError:
                self.metrics.refused("slow")
                raise Refused(
                    SLOW, f"body: not there within {limits.seconds:g} seconds; send it faster"
                ) from None
            size += len(message.get("body", b""))
            answer.is_whole = not message.get("more_body", False)
            if size > limits.body and not is_stream:
                raise self._too_large()
            return message

        return limited

    def _too_large(self) -> Refused:
        return Refused(TOO_LARGE, f"body: more than {self.limits.body:,} bytes; send several requests")


class _Answer:
    """An answer on its way: what was sent so far, and how long a client may take to read."""

    def __init__(self, receive: Receive, send: Send, limits: Limits) -> None:
        self.receive, self._send, self.limits = receive, send, limits
        self.status: int | None = None
        self.is_whole = False  # whether all of the request was read

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            given = {name for name, _ in message.get("headers", [])}
            own = [pair for pair in HEADERS if pair[0] not in given]
            message = {**message, "headers": [*message.get("headers", []), *own]}
        async with asyncio.timeout(self.limits.seconds):
            await self._send(message)

    async def refuse(self, refused: Refused) -> None:
        if (
            self.status is not None
        ):  # half of an answer is on its way; the end of the connection says the rest
            return
        body = json.dumps(refused.body).encode()
        headers = {"content-type": "application/json", "content-length": str(len(body))} | refused.headers
        if not self.is_whole:  # nothing else can follow on this connection
            headers["connection"] = "close"
        pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await self.send({"type": "http.response.start", "status": refused.status, "headers": pairs})
        await self.send({"type": "http.response.body", "body": body, "more_body": True})
        await self._drain()
        await self.send({"type": "http.response.body", "body": b""})

    async def _drain(self) -> None:
        """Read on for a moment: who is still sending when a connection is closed may never see the answer."""
        left = LINGER_BYTES
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LINGER):
                while left > 0 and not self.is_whole:
                    message = await self.receive()
                    left -= len(message.get("body", b""))
                    self.is_whole = not message.get("more_body", False)
