"""Wrong input for every endpoint: one sentence with a status that says whose fault it is, and no trace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serve.conftest import Served

DEEP = b"[" * 20_000
WRONG: list[Any] = [
    b"",
    b"{",
    b"\x00\xff\xfe",
    DEEP,
    b'{"input": NaN}',
    '{"input": "dogs"}'.encode("utf-16"),
    None,
    [],
    3,
    "dogs",
    {"nix": 1},
    {"model": "nix", "input": "dogs"},
    {"model": ["pos"], "input": "dogs"},
    {"model": "pos", "input": {"words": 3}},
    {"model": "pos", "input": ["\ud800"]},
    {"model": "pos", "input": "a " * 100_000},
    {"model": "trees", "task": "tagging", "input": "dogs"},
    {"task": "nix", "epochs": "many"},
    {"epochs": -1},
    {"text": 3},
]
TAKES_BODIES = ("/predict", "/play/film", "/play/explain", "/play/correct", "/play/lessons")
TAKES_NONE = ("/models/pos/reload", "/play/lessons/1/stop")
PAGES = ("/", "/docs", "/health", "/models", "/models/pos", "/metrics", "/openapi.json", "/play/state")
STRANGE = (
    "/models/nix", "/models/%00", "/models/" + "x" * 999, "/static/%2e%2e/app.py", "/play/lessons/x/events",
    "/play/lessons/-1/model", "/play/lessons/99999999999999999999/model", "/play/exhibit?example=nix",
    "/play/exhibit?update=nix", "/play/lessons/1e3/events", "/predict/../models/nix", "/%ff%fe",
)  # fmt: skip


@pytest.fixture(scope="module")
def played(models: Path) -> Iterator[Served]:
    served = Served(models / "pos.model", models / "trees.model", "--playground")
    yield served
    served.kill()


def check(answer: Any, about: object) -> None:
    assert 400 <= answer.status < 500, (about, answer)
    assert list(answer.body) == ["error"], (about, answer)
    said = answer.body["error"]
    assert said and "\n" not in said and "Traceback" not in said and ".py" not in said, (about, said)


def test_bodies(played: Served) -> None:
    for path in TAKES_BODIES:
        for body in WRONG:
            sent = body if isinstance(body, bytes) else json.dumps(body).encode()
            check(played.ask("POST", path, sent), (path, body))
        check(played.ask("POST", path, {"input": "a"}, Content_Type="text/plain"), path)
        for method in ("GET", "PUT", "DELETE"):
            if (method, path) != ("GET", "/play/lessons"):  # which lists them
                check(played.ask(method, path), (method, path))
    assert played.predict({"model": "pos", "input": "dogs bark"}).status == 200


def test_streams(played: Served) -> None:
    for query, status in (
        ("", 404),
        ("?model=nix", 404),
        ("?model=pos&task=parsing", 409),
        ("?model=%ff", 404),
    ):
        answer = played.ask(
            "POST", f"/predict/stream{query}", b'"dogs"\n', Content_Type="application/x-ndjson"
        )
        assert answer.status == status
        check(answer, query)
    lines = b"\n".join(
        [
            b"{",
            b"3",
            b'"\xff"',
            DEEP,
            b'{"input": "a", "x": 1}',
            b'{"input": "a", "kbest": -1}',
            b'"dogs bark"',
        ]
    )
    answer = played.ask(
        "POST", "/predict/stream?model=pos", lines + b"\n", Content_Type="application/x-ndjson"
    )
    *bad, good = map(json.loads, answer.body.splitlines())
    assert len(bad) == 6 and all("error" in each and "Traceback" not in each["error"] for each in bad)
    assert good["output"]["words"] == ["dogs", "bark"]


def test_paths_and_methods(played: Served) -> None:
    for path in STRANGE:
        check(played.ask("GET", path), path)
    for path in PAGES:
        assert played.ask("GET", path).status == 200
        check(played.ask("DELETE", path), path)
        check(played.ask("POST", path, {}), path)
    for path in TAKES_NONE:
        check(played.ask("GET", path), path)
        check(played.ask("POST", path, b"{"), path)


def test_a_head_says_what_a_get_would_without_its_body(server: Served) -> None:
    """Load balancers ask so whether a server lives."""
    for path in ("/health", "/models", "/metrics", "/docs", "/static/style.css", "/openapi.json"):
        whole, head = server.ask("GET", path), server.ask("HEAD", path, Accept="*/*")
        assert head.status == whole.status == 200, path
        assert head.headers["content-type"] == whole.headers["content-type"]
        assert "content-security-policy" in head.headers
    assert server.ask("HEAD", "/predict").status == 405
    assert server.ask("HEAD", "/nothing").status == 404
