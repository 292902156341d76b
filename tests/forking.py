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

    def run(self, args: list[str], given: str, timeout: float) -> subprocess.CompletedProcess[str]:
        """The command with these arguments, in the folder that is the current one now."""
        (input_end, feed), (out, output_end), (err, error_end) = os.pipe(), os.pipe(), os.pipe()
        request = json.dumps([args, str(Path.cwd())]).encode()
        socket.send_fds(self.ours, [request], [input_end, output_end, error_end])
        for end in (input_end, output_end, error_end):
            os.close(end)
        pid = int(self.ours.recv(64))
        said: dict[int, bytes] = {}
        threads = [threading.Thread(target=_feed, args=(feed, given))]
        threads += [threading.Thread(target=_drain, args=(end, said)) for end in (out, err)]
        for each in threads:
            each.start()
        in_time = bool(select.select([self.ours], [], [], timeout)[0])
        if not in_time:
            os.kill(pid, signal.SIGKILL)
        code = int(self.ours.recv(64))
        for each in threads:
            each.join()
        if not in_time:
            raise subprocess.TimeoutExpired(args, timeout, said[out], said[err])
        return subprocess.CompletedProcess(args, code, said[out].decode(), said[err].decode())


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
    import rich.console
    import rich.progress  # noqa: F401

    import structron.cli.app
    from structron.registry import specs

    for spec in specs():
        spec.load("estimator")

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


def forking(environment: dict[str, str]) -> cycle[Parent]:
    """Two parents, to be asked in turn."""
    return cycle(Parent(environment | {"PYTHONHASHSEED": seed}) for seed in ("1", "2"))
