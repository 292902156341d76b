"""How many requests a second the server answers, and how long each waits: at half, full and twice saturation.

`python benchmarks/serving.py [--seconds N] [--threads 1 2] [--spacy]` prints a line of JSON for each
measurement. Requests come at their own times (an open loop): a server that falls behind is not spared. Full
saturation is what as many clients as there are connections get out of it when each asks again at once. With
--spacy the same is done to a plain FastAPI around spaCy's tagger, trained on the same sentences. Memory is
read at the beginning and at the end; --soak N stays at twice saturation for N seconds. --swap puts another
model in the place of the one that is served twice a second, at full saturation, and ends with TERM while
requests are under way: who has asked before it must have an answer. --cost tells the server's CPU time for a
request that is answered and for one that is refused: a queue for one input refuses nearly all.
"""

from __future__ import annotations

import argparse
import asyncio
import errno
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from structron import Tagger
from structron.synthetic import generate_treebank

CONNECTIONS = 64
# Requests under way at a time: more than the server lets in (`requests` in structron/serve/limits.py), and
# fewer than the files that a process may usually open (1,024): what cannot be sent says nothing of it.
MOST = 900
LATE = 1.0  # seconds after which a request that could not be sent is given up
HERE = Path(__file__).resolve().parent


class Client:
    """A connection that stays open, and asks one request after the other."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None
        self.again = 0
        self.has_answer = False
        self.why = ""  # the connection broke

    async def ask(self, body: bytes) -> int:
        """Return the status of the answer; 0 if the connection broke.

        A server closes connections that are idle. Who asks on one that is being closed is not heard, and asks
        again on a new one, as browsers do; that is counted, too.
        """
        if self.reader is not None and self.reader.at_eof():
            self.close()
        was_open = self.writer is not None
        status = await self._ask(body)
        if not status and was_open and not self.has_answer:
            self.again += 1
            status = await self._ask(body)
        return status

    async def _ask(self, body: bytes) -> int:
        self.has_answer = False
        try:
            if self.writer is None or self.reader is None:
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
            self.writer.write(
                b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
            )
            head = await self.reader.readuntil(b"\r\n\r\n")
            status, self.has_answer = int(head[9:12]), True
            found = re.search(rb"content-length: (\d+)", head, re.I)
            await self.reader.readexactly(int(found[1]) if found else 0)
            if b"connection: close" in head.lower():
                self.close()
            return status
        except asyncio.IncompleteReadError as error:
            self.has_answer = self.has_answer or bool(error.partial)
            self.why = "closed"
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):  # nobody was asked
                raise
            self.why = error.strerror or type(error).__name__
        self.close()
        return 0

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


async def closed_loop(port: int, bodies: list[bytes], seconds: float) -> float:
    """Return requests a second when every client asks again at once."""
    until, done = time.perf_counter() + seconds, 0

    async def go_on(number: int) -> None:
        nonlocal done
        client = Client(port)
        while time.perf_counter() < until:
            status = await client.ask(bodies[(done + number) % len(bodies)])
            done += status == 200  # after the await: others have counted meanwhile
        client.close()

    await asyncio.gather(*(go_on(i) for i in range(CONNECTIONS)))
    return done / seconds


async def cost(command: list[str], bodies: list[bytes], seconds: float) -> None:
    """Measure the server's CPU time for a request, with room for all and with room for one."""
    for queue in (500, 1):
        process, port = started([*command, "--queue", str(queue)])
        try:
            await closed_loop(port, bodies, min(1.0, seconds))
            before, until, statuses = cpu(process.pid), time.perf_counter() + seconds, Counter[int]()

            async def go_on(number: int) -> None:
                client = Client(port)  # noqa: B023
                while time.perf_counter() < until:  # noqa: B023
                    statuses[await client.ask(bodies[number % len(bodies)])] += 1  # noqa: B023
                client.close()

            await asyncio.gather(*(go_on(i) for i in range(CONNECTIONS)))
            each = 1000 * (cpu(process.pid) - before) / sum(statuses.values())
            row = {"queue": queue, "statuses": statuses, "server_cpu_ms_per_request": round(each, 3)}
            print(json.dumps(row | {"load_average": os.getloadavg()[0]}), flush=True)
        finally:
            process.terminate()
            process.wait()


def cpu(process: int) -> float:
    """Return CPU seconds so far."""
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def open_loop(port: int, bodies: list[bytes], rate: float, seconds: float) -> dict[str, Any]:
    """Return requests that come `rate` times a second, at random times, whether others are answered or not.

    A generator that has lost time, as others have the cores, makes up for it, but has no more than MOST under
    way; each waits from when it was due. What is LATE before it could be sent never is, and is counted apart
    from what was sent and got no answer.
    """
    idle: list[Client] = []
    statuses: Counter[int] = Counter()
    lost: Counter[str] = Counter()
    waits: list[float] = []
    running: set[asyncio.Task[None]] = set()
    room = asyncio.Semaphore(MOST)

    async def one(body: bytes, due: float) -> None:
        client = idle.pop() if idle else Client(port)
        status = await client.ask(body)
        statuses[status] += 1
        if status == 200:
            waits.append(time.perf_counter() - due)
        elif status == 0:
            lost[client.why] += 1
        idle.append(client)
        room.release()

    rng = np.random.default_rng(0)
    began = due = time.perf_counter()
    number = never_sent = 0
    while (due := due + rng.exponential(1 / rate)) - began < seconds:
        if time.perf_counter() - due > LATE:
            never_sent += 1
            continue
        # Also when it is late: otherwise no answer would be read until it has caught up.
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        await room.acquire()
        task = asyncio.create_task(one(bodies[number % len(bodies)], due))
        running.add(task)
        task.add_done_callback(running.discard)
        number += 1
    await asyncio.gather(*running)
    took = time.perf_counter() - began
    again = sum(client.again for client in idle)
    for client in idle:
        client.close()
    p50, p99 = (1000 * np.percentile(waits, q) if waits else float("nan") for q in (50, 99))
    return {
        "asked_per_second": round(number / took, 1),
        "answered_per_second": round(statuses[200] / took, 1),
        "p50_ms": round(float(p50), 2),
        "p99_ms": round(float(p99), 2),
        "refused_503": statuses[503],
        "late_504": statuses[504],
        "asked_again": again,
        "unanswered": statuses[0],
        **({"lost_by": lost} if lost else {}),
        "never_sent": never_sent,
        "others": {str(each): count for each, count in statuses.items() if each not in (0, 200, 503, 504)},
    }


def memory(process: int) -> float:
    """Return MiB in use."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, 1)


def started(command: list[str]) -> tuple[subprocess.Popen[str], int]:
    """Return a server, and the port that it says it serves on."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"(?:on|running on) http://127\.0\.0\.1:(\d+)", line):
            return process, int(found[1])
    raise SystemExit("the server did not start")


async def measure(name: str, command: list[str], bodies: list[bytes], args: argparse.Namespace) -> None:
    process, port = started(command)
    try:
        await closed_loop(port, bodies, min(1.0, args.seconds))  # to warm up
        full = await closed_loop(port, bodies, args.seconds)
        print(json.dumps({"server": name, "load": "saturated", "per_second": round(full, 1)}), flush=True)
        for load, share in (("half", 0.5), ("full", 1.0), ("twice", 2.0)):
            seconds = args.soak if args.soak and load == "twice" else args.seconds
            before, minutes = memory(process.pid), list[float]()
            watch = asyncio.create_task(_watched(process.pid, minutes))
            found = await open_loop(port, bodies, full * share, seconds)
            watch.cancel()
            used = {
                "mib_before": before,
                **({"mib_by_minute": minutes} if minutes else {}),
                "mib_after": memory(process.pid),
                "load_average": os.getloadavg()[0],
            }
            print(json.dumps({"server": name, "load": load} | found | used), flush=True)
    finally:
        process.terminate()
        process.wait()


async def _watched(process: int, minutes: list[float]) -> None:
    while True:
        await asyncio.sleep(60)
        minutes.append(memory(process))


async def swap(
    command: list[str], model: Path, others: list[Path], bodies: list[bytes], seconds: float
) -> None:
    """Swap models under load, then send TERM under load."""
    process, port = started(command)
    drained: Counter[str] = Counter()
    try:
        full = await closed_loop(port, bodies, min(5.0, seconds))
        swaps = asyncio.create_task(_swaps(process, model, others))
        found = await open_loop(port, bodies, full, seconds)
        swaps.cancel()
        reloads = re.search(r'structron_reloads_total\{result="ok"\} (\d+)', await _metrics(port))
        row = {"load": "swap", "reloads": int(reloads[1]) if reloads else 0}
        print(json.dumps(row | found | {"load_average": os.getloadavg()[0]}), flush=True)
        term = time.perf_counter() + 1.0

        async def go_on(number: int) -> None:
            client, status = Client(port), 200
            while status:
                sent = time.perf_counter()
                status = await client.ask(bodies[number % len(bodies)])
                if sent < term:
                    drained["unanswered" if status == 0 else "answered" if status == 200 else "refused"] += 1
            client.close()

        clients = asyncio.gather(*(go_on(i) for i in range(CONNECTIONS)))
        await asyncio.sleep(max(0.0, term - time.perf_counter()))
        term = time.perf_counter()
        process.terminate()
        await clients
        code = await asyncio.to_thread(process.wait)
        print(json.dumps({"load": "TERM", "exit": code} | drained), flush=True)
    finally:
        process.kill()


async def _swaps(process: subprocess.Popen[str], model: Path, others: list[Path]) -> None:
    for number in itertools.count():
        await asyncio.sleep(0.5)
        new = model.with_suffix(".new")
        shutil.copy(others[number % len(others)], new)
        new.rename(model)
        process.send_signal(signal.SIGHUP)


async def _metrics(port: int) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    text = (await reader.read()).decode()
    writer.close()
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--soak", type=float, default=0, help="seconds at twice saturation")
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--queue", type=int, default=500, help="inputs that may wait")
    parser.add_argument("--sentences", type=int, default=1, help="of each request")
    parser.add_argument("--model", help="a tagger or a parser of words; otherwise one is made")
    parser.add_argument("--spacy", action="store_true")
    parser.add_argument("--swap", action="store_true", help="models swapped under load, then TERM; no more")
    parser.add_argument("--cost", action="store_true", help="CPU time of answers and refusals; no more")
    args = parser.parse_args()
    trees = generate_treebank(1000, np.random.default_rng(0))
    words, tags = [list(t.words) for t in trees], [list(t.tags) for t in trees]
    batches = [words[i : i + args.sentences] for i in range(0, len(words), args.sentences)]
    bodies = [json.dumps({"inputs": batch}).encode() for batch in batches]
    with tempfile.TemporaryDirectory() as folder:
        model = args.model
        if model is None:
            model = f"{folder}/tagger.model"
            Tagger(epochs=5).fit(words, tags).save(model)
        if args.swap:
            served, others = Path(folder) / "served.model", [Path(model), Path(folder) / "other.model"]
            shutil.copy(model, served)
            Tagger(epochs=1, order=1).fit(words, tags).save(others[1])
            command = [sys.executable, "-m", "structron", "serve", str(served), "--port", "0"]
            asyncio.run(swap(command, served, others, bodies, args.seconds))
            return
        if args.cost:
            command = [sys.executable, "-m", "structron", "serve", model, "--port", "0"]
            asyncio.run(cost(command, bodies, args.seconds))
            return
        for threads in args.threads:
            options = ["--port", "0", "--threads", str(threads), "--queue", str(args.queue)]
            command = [sys.executable, "-m", "structron", "serve", model, *options]
            asyncio.run(measure(f"structron, {threads} threads", command, bodies, args))
        if args.spacy:
            training = Path(folder) / "training.json"
            training.write_text(json.dumps([words, tags]), encoding="utf-8")
            command = [sys.executable, str(HERE / "serving_spacy.py"), str(training)]
            asyncio.run(measure("FastAPI around spaCy", command, bodies, args))


if __name__ == "__main__":
    main()
