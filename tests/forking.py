"""Runs the command in processes that need not import it anew: forks of one that has done nothing else.

Importing takes a command longer than most tests' work. What is run is a process of its own all the same, with
its own files, folder and exit code. Two such parents take turns: strings hash differently in them, so that a
result that depends on the order of a set does not come out the same twice.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

LONGEST = 1 << 20  # bytes of a request: the arguments and the folder


class Parent:
    """A process that forks whenever it is asked to."""

    def __init__(self, environment: dict[str, str]) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.ours = ours
        command = [sys.executable, "-c", f"from tests.forking import serve; serve({theirs.fileno()})"]
        root = str(Path(__file__).resolve().parents[1])
        environment = environment | {"PYTHONPATH": root, "OPENBLAS_NUM_THREADS": "1"}
        self.process = subprocess.Popen(command, env=environment, pass_fds=[theirs.fileno()], cwd=root)
        theirs.close()
        atexit.register(self.close)

    def close(self) -> None:
        """An end to it: no more requests come."""
        self.ours.close()
        self.process.wait()

    def start(self, args: list[str], folder: Path) -> Running:
        """Begin the command with these arguments, in this folder; nothing else is begun until it is over."""
        (input_end, feed), (out, output_end), (err, error_end) = os.pipe(), os.pipe(), os.pipe()
        request = json.dumps([args, str(folder)]).encode()
        socket.send_fds(self.ours, [request], [input_end, output_end, error_end])
        for end in (input_end, output_end, error_end):
            os.close(end)
        return Running(self.ours, int(self.ours.recv(64)), feed, out, err)

    def run(self, args: list[str], given: str, timeout: float) -> subprocess.CompletedProcess[str]:
        """The command with these arguments, in the folder that is the current one now."""
        running = self.start(args, Path.cwd())
        said: dict[int, bytes] = {}
        threads = [threading.Thread(target=_feed, args=(running.feed, given))]
        threads += [threading.Thread(target=_drain, args=(end, said)) for end in (running.out, running.err)]
        for each in threads:
            each.start()
        in_time = running.is_over(timeout)
        if not in_time:
            running.kill()
        code = running.code()
        for each in threads:
            each.join()
        out, err = said[running.out], said[running.err]
        if not in_time:
            raise subprocess.TimeoutExpired(args, timeout, out, err)
        return subprocess.CompletedProcess(args, code, out.decode(), err.decode())


@dataclass(frozen=True)
class Running:
    """A command that was begun: our ends of its standard streams, and its end."""

    channel: socket.socket
    pid: int
    feed: int
    out: int
    err: int

    def is_over(self, timeout: float) -> bool:
        """Whether it ends within so many seconds."""
        return bool(select.select([self.channel], [], [], timeout)[0])

    def kill(self) -> None:
        """End it at once, if it runs."""
        if not self.is_over(0):
            with suppress(ProcessLookupError):  # it ended just now
                os.kill(self.pid, signal.SIGKILL)

    def code(self) -> int:
        """What it ended with, once that is known; to be asked once."""
        return int(self.channel.recv(64))


def _feed(end: int, given: str) -> None:
    with open(end, "wb") as pipe:
        try:
            pipe.write(given.encode())
            pipe.flush()
        except BrokenPipeError:  # it did not read to the end
            return


def _drain(end: int, said: dict[int, bytes]) -> None:
    with open(end, "rb") as pipe:
        said[end] = pipe.read()


def serve(channel: int) -> None:
    """What the parent does: import, and fork for each request; the child leaves with the command's code."""
    import click
    import rich.console
    import rich.progress  # noqa: F401

    import structron.cli.app
    from structron.registry import specs

    for spec in specs():
        spec.load("estimator")
    commands = structron.cli.app.app
    for name in commands.list_commands(click.Context(commands)):
        commands.get_command(click.Context(commands), name)

    server = socket.socket(fileno=channel)
    while True:
        request, ends, _, _ = socket.recv_fds(server, LONGEST, 3)
        if not request:
            return
        args, folder = json.loads(request)
        child = os.fork()
        if not child:
            server.close()
            for number, end in enumerate(ends):
                os.dup2(end, number)
                os.close(end)
            # Anew, as an interpreter makes them: what is open here was the parent's.
            sys.stdin = os.fdopen(0, encoding="utf-8")
            sys.stdout = os.fdopen(1, "w", encoding="utf-8")
            sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)
            os.chdir(folder)
            sys.argv = ["structron", *args]
            sys.exit(structron.cli.app.main(args))
        for end in ends:
            os.close(end)
        server.send(str(child).encode())
        server.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())


def forking(environment: dict[str, str]) -> Iterator[Parent]:
    """Two parents, to be asked in turn."""
    return cycle(Parent(environment | {"PYTHONHASHSEED": seed}) for seed in ("1", "2"))
