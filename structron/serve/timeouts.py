"""Connections with limits: uvicorn's own, which end when the head of a request is slow or too long.

They also refuse a prediction for which there is no room before a request is made of it. A refusal must cost
little, or an overloaded server answers fewer requests than it could.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from structron.serve.limits import Limits
from structron.serve.refusals import BUSY, HEADERS, SLOW, Refused

PREDICT = "/predict"
# From the headers of a request, and how many others are under way.
TurnedAway = Callable[[Sequence[tuple[bytes, bytes]], int], Refused | None]
LINGER = 1.0  # seconds in which a refused client may go on sending
EXPECTED = "structron.expected"  # there: that it was asked whether there is room, and there was
ABORT = "structron.abort"  # in the scope of a request: what cuts its connection at once
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: what is not sent when a connection is closed is thrown away
REASONS = {BUSY: "Service Unavailable", HEADERS: "Request Header Fields Too Large", SLOW: "Request Timeout"}


def _never(headers: Sequence[tuple[bytes, bytes]], under_way: int) -> None:
    """Turn nobody away."""


class LimitedProtocol(HttpToolsProtocol):
    """A connection that waits for the head of a request for a limited time, and takes a limited size."""

    limits: Limits
    turned_away: TurnedAway

    head = 0  # bytes of a head that is not whole
    in_head = True
    timer: asyncio.TimerHandle | None = None
    lingering: asyncio.TimerHandle | None = None  # when a connection that was refused is closed
    end: asyncio.TimerHandle | None = None  # when a connection that is being closed is cut
    is_ending = False  # the server is; nothing more is taken
    is_refused = False  # what comes now is not looked at
    refusal: Refused | None = None  # the answer to a request once all of it is read

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            self._refuse(BUSY, "too many clients; ask again", {"Retry-After": "1"})
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        if self.is_refused or self.transport.is_closing():
            return
        super().data_received(data)
        if self.in_head:
            self.head += len(data)
            if self.head > self.limits.headers:
                self._refuse(HEADERS, f"the head has more than {self.limits.headers:,} bytes; send less")

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        # A timer holds its connection: thousands that were refused would stay in memory until then.
        for timer in (self.lingering, self.end):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope[ABORT] = self._cut  # type: ignore[literal-required]
        self.in_head, self.head = True, 0
        if self.timer is None:
            self._wait()

    def on_headers_complete(self) -> None:
        self.in_head = False
        self._stop_waiting()
        if self._is_plain_prediction():
            self.refusal = self.turned_away(self.headers, len(self.tasks))
            self.scope[EXPECTED] = self.refusal is None  # type: ignore[literal-required]
        if self.refusal is None:
            super().on_headers_complete()
        else:
            self._wait()  # for its body

    def on_body(self, body: bytes) -> None:
        if self.refusal is None:
            super().on_body(body)

    def on_message_complete(self) -> None:
        if self.refusal is None:
            super().on_message_complete()
            return
        refused, self.refusal = self.refusal, None
        self._stop_waiting()
        keeps = self.parser.should_keep_alive() and not self.is_ending
        headers = {**refused.headers, **({} if keeps else {"Connection": "close"})}
        self.transport.write(answer(refused.status, str(refused), headers))
        self.on_response_complete() if keeps else self.transport.close()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._cut_later()
        elif not self.pipeline and self.cycle is not None and self.cycle.more_body:
            self._end()  # answered before it was whole: what follows is no request

    def shutdown(self) -> None:
        if self.refusal is None:
            super().shutdown()
        self.is_ending = True

    def _is_plain_prediction(self) -> bool:
        """Return whether it can be refused here: it is alone on its connection, and small."""
        length = dict(self.headers).get(b"content-length", b"")
        return (
            self.url == PREDICT.encode()
            and self.parser.get_method() == b"POST"
            and (self.cycle is None or self.cycle.response_complete)
            and not (self.pipeline or self.flow.write_paused or self.expect_100_continue)
            and length.isdigit()
            and len(length) < 18
            and int(length) <= self.limits.body
        )

    def timeout_keep_alive_handler(self) -> None:
        if not self.transport.is_closing():
            self._end()

    def _end(self) -> None:
        """Say and read nothing more, and close as soon as the client has had time to read.

        Closed at once, what the client is still sending would be answered by a reset, and it might never
        see what it was told.
        """
        self._stop_waiting()
        self._unset_keepalive_if_required()
        self.is_refused = True
        self.connections.discard(self)
        self.transport.write_eof()
        self.lingering = self.loop.call_later(min(LINGER, self.limits.seconds), self._close)
        self._cut_later()

    def _close(self) -> None:
        """Close, unless the client has not taken all: the system would keep that for minutes."""
        if not unsent(self.transport.get_extra_info("socket")):
            self.transport.close()

    def _cut_later(self) -> None:
        """Cut a closed connection later: it waits for a client to read, and a deaf one never does."""
        if self.end is None:
            self.end = self.loop.call_later(self.limits.seconds, self._cut)

    def _cut(self) -> None:
        """End it now, by a reset, and throw away what is not sent."""
        if (connection := self.transport.get_extra_info("socket")) is not None:
            with contextlib.suppress(OSError):  # it is gone already
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.transport.abort()

    def _wait(self) -> None:
        self.timer = self.loop.call_later(
            self.limits.seconds,
            self._refuse,
            SLOW,
            f"no request within {self.limits.seconds:g} seconds; ask faster",
        )

    def _stop_waiting(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def _refuse(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        """Say why, and close."""
        self._stop_waiting()
        if self.transport.is_closing():
            return
        self.transport.write(answer(status, message, {**(headers or {}), "Connection": "close"}))
        self._end()


def limited_protocol(limits: Limits, turned_away: TurnedAway = _never) -> type[asyncio.Protocol]:
    """Return the class of connections of a server with these limits.

    `turned_away` says whether a prediction is refused because nothing more can wait.
    """
    own = {"limits": limits, "turned_away": staticmethod(turned_away)}
    return type("LimitedProtocol", (LimitedProtocol,), own)


def unsent(connection: socket.socket | None) -> int:
    """Return how many bytes the other side has not acknowledged; 0 where the system does not say."""
    if sys.platform != "linux" or connection is None:
        return 0
    import fcntl
    import termios

    try:
        return int.from_bytes(fcntl.ioctl(connection, termios.TIOCOUTQ, bytes(4)), sys.byteorder)
    except OSError:  # it is gone already
        return 0


def answer(status: int, message: str, headers: Mapping[str, str]) -> bytes:
    """Return a refusal as bytes of HTTP."""
    body = json.dumps({"error": message}).encode()
    fields = {"Content-Type": "application/json", "Cache-Control": "no-store", **headers}
    fields |= {"X-Content-Type-Options": "nosniff", "Content-Length": str(len(body))}
    lines = [f"HTTP/1.1 {status} {REASONS[status]}", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body
