"""Whatever a client sends, it gets one sentence or a closed door, and all others their answers."""

from __future__ import annotations

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from structron.cli import main
from tests.serve.conftest import PATIENCE, Served

BAD: list[tuple[Any, int, str]] = [
    (b"", 400, "body: it is empty"),
    (b"{", 400, "body: not JSON"),
    (b'{"input": "\xff\xfe"}', 400, "body: byte 12 (0xff) is not UTF-8"),
    ('{"input": "dogs"}'.encode("utf-16"), 400, "is not UTF-8"),
    (b"[" * 15_000, 400, "body: it is nested too deep"),
    (b'{"input": NaN}', 400, "body: NaN is not a number of JSON"),
    (b'{"input": 1e999}', 400, "body: a number is out of range"),
    ([], 422, "body: a list is not possible here; give an object"),
    ({}, 404, "model: which one is not said; give one of pos, trees"),
    ({"model": "pos"}, 422, "body: give input, or inputs for several"),
    ({"model": "pos", "input": "a", "inputs": []}, 422, "body: give input, or inputs for several"),
    ({"model": "pos", "input": "a", "sentence": 1}, 422, "body: there is no field 'sentence'"),
    ({"model": "nix", "input": "a"}, 404, "model: there is none called 'nix'; give one of pos, trees"),
    ({"model": ["pos"], "input": "a"}, 404, "model: there is none called"),
    (
        {"model": "pos", "task": "parsing", "input": "a"},
        409,
        "task: model 'pos' is for tagging, not for 'parsing'",
    ),
    ({"model": "pos", "input": None}, 422, "input: null is not possible here; give a sentence"),
    ({"model": "pos", "input": 3}, 422, "input: a number is not possible here"),
    ({"model": "pos", "input": True}, 422, "input: true or false is not possible here"),
    ({"model": "pos", "input": {"text": "a"}}, 422, 'input: an object has "words" and "tags"'),
    ({"model": "pos", "input": {"words": ["a"], "tags": []}}, 422, "there is not one tag for each word"),
    ({"model": "pos", "inputs": "a"}, 422, "inputs: a text is not possible here; give a list of inputs"),
    ({"model": "pos", "inputs": [["a"], 3]}, 422, "inputs[1]: a number is not possible here"),
    ({"model": "pos", "input": ["a", ""]}, 422, "input[1]: the text is empty"),
    ({"model": "pos", "input": ["a", ["b"]]}, 422, "input[1]: a list is not possible here"),
    ({"model": "pos", "input": [["a"], ["b", "c"]]}, 422, "words have different numbers of columns"),
    ({"model": "pos", "input": ["\ud800"]}, 422, "input[0]: half of a surrogate pair"),
    ({"model": "pos", "input": "a " * 21}, 413, "input: 21 words where 20 are allowed"),
    ({"model": "pos", "inputs": ["a"] * 11}, 413, "inputs: 11 where 10 are allowed"),
    ({"model": "pos", "input": "a" * 20_000}, 413, "body: more than 20,000 bytes"),
    ({"model": "pos", "input": "a", "kbest": 0}, 422, "kbest: give a whole number from 1 to 100"),
    ({"model": "pos", "input": "a", "kbest": "2"}, 422, "kbest: give a whole number from 1 to 100"),
    ({"model": "trees", "input": "dogs bark"}, 422, "input: the model has no tagger and reads"),
]


def test_bodies_and_fields_are_refused_in_one_sentence(server: Served) -> None:
    for body, status, message in BAD:
        answer = server.predict(body)
        assert answer.status == status, (body, answer)
        assert list(answer.body) == ["error"] and message in answer.body["error"], answer
        assert "Traceback" not in answer.body["error"] and "\n" not in answer.body["error"]
    assert server.predict({"model": "pos", "input": ""}).body["output"] == {"words": [], "tags": []}


def test_routes_methods_types_and_names(server: Served) -> None:
    assert server.ask("GET", "/nix").status == 404
    assert server.ask("GET", "/predict").body == {"error": "GET is not possible here; see /docs"}
    assert server.ask("GET", "/models/nix").status == 404
    assert server.ask("GET", "/static/..%2f..%2fapp.py").status == 404
    assert server.ask("GET", "/static/nix.js").status == 404
    assert server.ask("POST", "/models/pos/reload").status == 403
    assert server.ask("GET", "/play/state").status == 404  # the playground was not asked for
    for kind, message in (
        ("text/plain", "'text/plain' is not taken here; send application/json"),
        ("application/json; charset=latin-1", "charset latin-1 is not taken; send UTF-8"),
    ):
        answer = server.predict({"model": "pos", "input": "a"}, Content_Type=kind)
        assert answer.status == 415 and message in answer.body["error"]
    assert server.predict({"model": "pos", "input": "a"}, Host="evil.example").status == 421
    stream = server.ask(
        "POST", "/predict/stream?model=pos", b'"' + b"a" * 30_000, Content_Type="application/x-ndjson"
    )
    assert "a line has more than 20,000 bytes" in json.loads(stream.body)["error"]
    assert (
        server.ask("POST", "/predict/stream?model=x", b"", Content_Type="application/x-ndjson").status == 404
    )
    wrong = server.ask(
        "POST", "/predict/stream?model=pos&task=parsing", b"", Content_Type="application/x-ndjson"
    )
    assert wrong.status == 409


def raw(server: Served, *parts: bytes, close: bool = False) -> bytes:
    """What comes back for bytes that no library would send, until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        for part in parts:
            connection.sendall(part)
        if close:
            return b""
        found = b""
        try:
            while data := connection.recv(65536):
                found += data
        except ConnectionResetError:
            pass
        return found


HEAD = b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
STREAM = HEAD.replace(b"/predict", b"/predict/stream?model=pos").replace(b"json", b"x-ndjson")


def deafly(server: Served) -> str:
    """Send a stream for ever, and never read; how that ends."""
    lines = (json.dumps("dogs bark " * 10) + "\n").encode() * 500
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.sendall(STREAM + b"Transfer-Encoding: chunked\r\n\r\n")
        try:
            while True:
                deaf.sendall(b"%x\r\n%s\r\n" % (len(lines), lines))
        except ConnectionError:
            return "cut off"


def test_clients_that_are_slow_deaf_or_break_off(server: Served) -> None:
    """With four seconds of patience; nobody else waits, and nothing is left behind."""
    with ThreadPoolExecutor() as pool:
        half_head = pool.submit(raw, server, b"POST /pre")
        half_body = pool.submit(raw, server, HEAD + b"Content-Length: 100\r\n\r\n{")
        half_stream = pool.submit(
            raw, server, STREAM + b'Transfer-Encoding: chunked\r\n\r\n8\r\n"dogs"\n\n\r\n'
        )
        deaf = pool.submit(deafly, server)
        assert b" 400 " in raw(server, b"\x00\x01\x02 nonsense\r\n\r\n")
        assert b" 431 " in raw(server, b"GET / HTTP/1.1\r\nX: ", *[b"a" * 10_000] * 60)
        assert b" 413 " in raw(server, HEAD + b"Content-Length: 999999999999\r\n\r\n")
        body = json.dumps({"model": "pos", "inputs": ["dogs bark"] * 10}).encode()
        for _ in range(20):
            raw(server, HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body, close=True)
            raw(server, HEAD + b"Content-Length: %d\r\n\r\n" % len(body), close=True)
        assert server.predict({"model": "pos", "input": "dogs bark"}).status == 200
    # A stream that stops is told so at its end, and what would come later is no request.
    assert b'"output"' in half_stream.result() and half_stream.result().endswith(b"}\n\r\n0\r\n\r\n")
    assert b'"status": 408' in half_stream.result()
    assert b" 408 " in half_head.result() and b" 408 " in half_body.result() and deaf.result() == "cut off"
    assert server.predict({"model": "pos", "input": "dogs bark"}).status == 200
    assert server.ask("GET", "/health").body["waiting"] == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "give a MODEL, or --playground"),
        (["nix.model"], "nix.model: there is no such file"),
        (
            ["a=nix.model", "b.model", "--port", "1", "--host", "no.such.host.invalid"],
            "choose another --host or --port",
        ),
    ],
)
def test_a_server_that_cannot_start_says_why(
    args: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *args]) in (1, 2)
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1
