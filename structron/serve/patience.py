"""uvicorn's connection with an end to patience: for heads of requests that are slow, or too long."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from structron.serve.limits import Limits
from structron.serve.refusal import BUSY, HEADERS, SLOW

LINGER = 1.0  # seconds in which a refused client may go on sending
ABORT = "structron.abort"  # in the scope of a request: what cuts its connection at once
REASONS = {BUSY: "Service Unavailable", HEADERS: "Request Header Fields Too Large", SLOW: "Request Timeout"}


def patient(limits: Limits) -> type[asyncio.Protocol]:
    """The connections of a server with these limits."""

    class Patient(HttpToolsProtocol):
        """Waits for the head of a request for so long, and takes so many bytes of it."""

        head = 0  # bytes of a head that is not whole
        in_head = True
        timer: asyncio.TimerHandle | None = None
        is_refused = False  # what comes now is not looked at

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(self.connections) > limits.connections:
                self._refuse(BUSY, "too many clients; ask again", "Retry-After: 1\r\n")
            else:
                self._wait()

        def data_received(self, data: bytes) -> None:
            if self.is_refused or self.transport.is_closing():
                return
            super().data_received(data)
            if self.in_head:
                self.head += len(data)
                if self.head > limits.headers:
                    self._refuse(HEADERS, f"the head has more than {limits.headers:,} bytes; send less")

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_waiting()
            super().connection_lost(exc)

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self.scope[ABORT] = self.transport.abort  # type: ignore[literal-required]
            self.in_head, self.head = True, 0
            if self.timer is None:
                self._wait()

        def on_headers_complete(self) -> None:
            self.in_head = False
            self._stop_waiting()
            super().on_headers_complete()

        def timeout_keep_alive_handler(self) -> None:
            super().timeout_keep_alive_handler()
            self._abort_later()

        def _abort_later(self) -> None:
            """A closed connection waits until all is read that was written; a deaf client never does."""
            self.loop.call_later(limits.seconds, self.transport.abort)

        def _wait(self) -> None:
            self.timer = self.loop.call_later(
                limits.seconds,
                self._refuse,
                SLOW,
                f"no request within {limits.seconds:g} seconds; ask faster",
            )

        def _stop_waiting(self) -> None:
            if self.timer is not None:
                self.timer.cancel()
                self.timer = None

        def _refuse(self, status: int, message: str, headers: str = "") -> None:
            """Say why, and close."""
            self._stop_waiting()
            if self.transport.is_closing():
                return
            self.is_refused = True
            self.connections.discard(self)
            body = json.dumps({"error": message}).encode()
            head = (
                f"HTTP/1.1 {status} {REASONS[status]}\r\nContent-Type: application/json\r\n{headers}"
                f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
            # Closed at once, what the client is still sending would be answered by a reset, and it might
            # never see why it was refused.
            self.transport.write_eof()
            self.loop.call_later(min(LINGER, limits.seconds), self.transport.close)
            self._abort_later()

    return Patient
