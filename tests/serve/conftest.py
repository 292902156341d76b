"""Real server processes on free ports, and small models for them to serve."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from structron import Parser, Tagger

pytest.importorskip("fastapi", reason="needs structron[serve]")
pytest.importorskip("httptools", reason="needs structron[serve]")

PATIENCE = 60  # seconds until a test that hangs is given up


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: Any
    headers: dict[str, str]


class Served:
    """A server process, which its shell may have told to ignore some signals."""

    def __init__(self, *args: object, ignoring: str = "") -> None:
        command = [sys.executable, "-m", "structron", "serve", "--port", "0", *map(str, args)]
        if ignoring:
            command = ["sh", "-c", f"trap '' {ignoring}; exec \"$@\"", "sh", *command]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self.said: list[str] = []
        for line in self.process.stderr:
            self.said.append(line)
            if found := re.search(r"serving .* on http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                return
        raise AssertionError(f"the server did not start: {''.join(self.said)}")

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """One request; what is no bytes is sent as JSON."""
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        given = {"Content-Type": "application/json"} | {k.replace("_", "-"): v for k, v in headers.items()}
        with contextlib.closing(self.connect()) as connection:
            connection.request(method, path, sent, given)
            response = connection.getresponse()
            text = response.read().decode()
            is_json = text and response.headers.get("content-type", "").startswith("application/json")
            named = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status, json.loads(text) if is_json else text, named)

    def predict(self, body: Any, **headers: str) -> Answer:
        return self.ask("POST", "/predict", body, **headers)

    def metric(self, name: str, **headers: str) -> float:
        """The sum of a metric over its labels."""
        lines = self.ask("GET", "/metrics", **headers).body.splitlines()
        return sum(float(line.split()[-1]) for line in lines if re.match(rf"{name}(\{{|\s)", line))

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self) -> tuple[int, str]:
        """What it said until it ended, and how it ended."""
        assert self.process.stderr is not None
        rest = self.process.stderr.read()
        return self.process.wait(PATIENCE), rest

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


SENTENCES = [["dogs", "bark"], ["cats", "sleep"], ["the", "dogs", "sleep"]] * 2
TAGS = [["N", "V"], ["N", "V"], ["D", "N", "V"]] * 2


def tagger(**settings: Any) -> Tagger:
    return Tagger(**{"epochs": 3, "order": 1} | settings).fit(SENTENCES, TAGS)


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tagger and a parser."""
    folder = tmp_path_factory.mktemp("served")
    tagger().save(folder / "pos.model")
    trees = [([2, 0], ["nsubj", "root"])] * 2 + [([2, 3, 0], ["det", "nsubj", "root"])]
    Parser(epochs=2, search="beam:2").fit(list(zip(SENTENCES[:3], TAGS)), trees).save(folder / "trees.model")
    return folder


@pytest.fixture(scope="session")
def server(models: Path) -> Iterator[Served]:
    """A tagger and a parser, with few inputs and little patience."""
    limits = ["--seconds", 4, "--longest", 20, "--inputs", 10, "--body", 20_000]
    served = Served(models / "pos.model", f"trees={models / 'trees.model'}", *limits)
    yield served
    served.kill()


@pytest.fixture
def start() -> Iterator[Callable[..., Served]]:
    """A server of one's own."""
    with contextlib.ExitStack() as ends:

        def begin(*args: object, ignoring: str = "") -> Served:
            served = Served(*args, ignoring=ignoring)
            ends.callback(served.kill)
            return served

        yield begin
