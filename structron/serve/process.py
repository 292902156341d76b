"""The process: its socket, its signals, and its end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import resource
import signal
import socket
from collections.abc import Callable, Iterator

import uvicorn

from structron.errors import SettingError
from structron.serve.app import Say, Service
from structron.serve.guard import LOCAL, App, Guard
from structron.serve.limits import Limits
from structron.serve.timeouts import limited_protocol

ENDS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)  # signals that end a server
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def bound(host: str, port: int) -> socket.socket:
    """Return a listening socket; refuse in one sentence what is not possible."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # With its protocol named, connections send what is written at once; otherwise an answer of two pieces
        # waits for 40 ms, until the client says that it has the first.
        opened = socket.socket(family, kind, protocol)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(1024)
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise SettingError(f"{host}:{port}: {what}; choose another --host or --port") from None
    return opened


def url_of(listening: socket.socket) -> str:
    """Return where a browser on this machine finds it."""
    host, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"


def addresses(port: int) -> list[str]:
    """Return where other machines of the network find it, as far as this one knows."""
    found = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(("192.0.2.1", 9))  # nothing is sent; the system only says which way it would go
        found.append(f"http://{asked.getsockname()[0]}:{port}")
    return found


def names_of(host: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names a server may be called by: on the loopback interface only its own."""
    return (*LOCAL, *allowed) if host in LOOPBACK or allowed else ()


class Server(uvicorn.Server):
    """uvicorn's server without its signal handlers: a signal makes it end in order."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture nothing; see `_listen`."""
        yield


def run(app: App, service: Service, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until a signal: TERM and Ctrl-C answer what is under way first, HUP reads the models again.

    A signal that the parent process wants ignored does not end the server.
    """
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL + 1)  # it would print traces, and addresses
    logging.getLogger("asyncio").setLevel(logging.CRITICAL + 1)
    _open_files(service.limits.connections)
    asyncio.run(_serve(app, service, listening, ready))


def _open_files(connections: int) -> None:
    """Let the process have as many files as clients, and some: what a shell allows is often fewer."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + 256
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
        )


async def _serve(app: App, service: Service, listening: socket.socket, ready: Callable[[], None]) -> None:
    server = Server(_config(app, service.limits))
    reloads = _Reloads(service, service.say)
    loop = asyncio.get_running_loop()
    terminal = os.isatty(2)

    def end() -> None:
        server.force_exit = server.should_exit  # asked twice, it does not wait
        server.should_exit = True

    # Under nohup a lost terminal must not end us, nor Ctrl-C where a shell started us in the background.
    ignored = [each for each in ENDS if signal.getsignal(each) is signal.SIG_IGN]

    def hang_up() -> None:
        # Nobody has asked for models: the window was closed.
        if terminal and signal.SIGHUP not in ignored and not _has_terminal():
            end()
        else:
            reloads.start()

    for number in (signal.SIGTERM, signal.SIGINT):
        if number not in ignored:
            loop.add_signal_handler(number, end)
    loop.add_signal_handler(signal.SIGHUP, hang_up)
    begun = asyncio.create_task(_when_started(server, ready))
    try:
        await server.serve(sockets=[listening])
    finally:
        begun.cancel()
        await reloads.end()


async def _when_started(server: Server, ready: Callable[[], None]) -> None:
    while not server.started:
        await asyncio.sleep(0.01)
    ready()


def _config(app: App, limits: Limits) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        # With CORS every answer needs its headers, and takes the long way.
        http=limited_protocol(limits, *([app.turned_away] if isinstance(app, Guard) else [])),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=int(max(1, min(5, limits.seconds))),
        # Whoever waits is answered or refused within this; then nobody is waited for.
        timeout_graceful_shutdown=int(limits.seconds) + 2,
    )


class _Reloads:
    """Models read again, one reload after the other."""

    def __init__(self, service: Service, say: Say) -> None:
        self.service, self.say = service, say
        self.task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.task = asyncio.create_task(self._reload(self.task))

    async def end(self) -> None:
        if self.task is not None:
            await asyncio.gather(self.task, return_exceptions=True)

    async def _reload(self, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.gather(before, return_exceptions=True)
        for name, error in await asyncio.to_thread(lambda: list(self.service.registry.reload())):
            self.service.metrics.reloaded(well=error is None)
            self.say(f"reloaded {name}" if error is None else f"{name} stays as it was: {error}")


def _has_terminal() -> bool:
    try:
        os.tcgetpgrp(2)
    except OSError:
        return False
    return True
