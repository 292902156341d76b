"""A real server: what it answers, how it reloads, and how it ends."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from structron import ModelError, load
from structron.serve.process import bound
from structron.serve.registry import ModelRegistry
from tests.serve.conftest import SENTENCES, Answer, Served, tagger

Start = Callable[..., Served]
LINES = "application/x-ndjson"


def test_one_input_several_and_the_k_best(server: Served, models: Path) -> None:
    own = load(models / "pos.model")
    answer = server.predict({"model": "pos", "input": "the dogs bark"})
    assert answer.status == 200 and answer.body == {
        "model": "pos",
        "version": 1,
        "task": "tagging",
        "output": {"words": ["the", "dogs", "bark"], "tags": own.predict([["the", "dogs", "bark"]])[0]},
    }
    several = server.predict({"model": "pos", "inputs": SENTENCES}).body["outputs"]
    assert [each["tags"] for each in several] == own.predict(SENTENCES)
    assert server.predict({"model": "pos", "inputs": []}).body["outputs"] == []
    (best,) = server.predict({"model": "pos", "inputs": [SENTENCES[0]], "kbest": 2}).body["outputs"]
    assert [(each["output"]["tags"], each["score"]) for each in best] == own.predict_kbest(SENTENCES[:1], 2)[
        0
    ]
    tree = server.predict({"model": "trees", "task": "parsing", "input": [["dogs", "N"], ["bark", "V"]]}).body
    found = load(models / "trees.model").predict([(["dogs", "bark"], ["N", "V"])])[0]
    assert tree["output"]["heads"] == list(found.heads) and tree["output"]["relations"] == list(found.labels)
    assert tree["output"]["tags"] == ["N", "V"]


def test_requests_at_a_time_get_each_its_own_answer(server: Served, models: Path) -> None:
    own = load(models / "pos.model")
    found: dict[int, Answer] = {}

    def ask(i: int) -> None:
        found[i] = server.predict({"model": "pos", "inputs": SENTENCES[i % 3 : i % 3 + 2]})

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i, answer in found.items():
        assert [each["words"] for each in answer.body["outputs"]] == SENTENCES[i % 3 : i % 3 + 2]
        assert [each["tags"] for each in answer.body["outputs"]] == own.predict(SENTENCES[i % 3 : i % 3 + 2])
    assert len(found) == 24
    # Gathered: fewer calls of the engine than inputs.
    assert server.metric("structron_batch_inputs_count") < server.metric("structron_inputs_total")


def test_connections_send_what_is_written_at_once() -> None:
    """Otherwise the second piece of an answer waits until the client has confirmed the first: 40 ms."""

    async def of_a_connection() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def met(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            own = writer.get_extra_info("socket")
            found.set_result(own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = bound("127.0.0.1", 0)
        async with await asyncio.start_server(met, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            told = await found
            writer.close()
        return told

    assert asyncio.run(of_a_connection())


def test_a_stream_is_answered_line_by_line_before_it_ends(server: Served) -> None:
    connection = server.connect()
    connection.putrequest("POST", "/predict/stream?model=pos")
    connection.putheader("Content-Type", LINES)
    connection.putheader("Transfer-Encoding", "chunked")
    connection.endheaders()

    def send(data: bytes) -> None:
        connection.send(b"%x\r\n%s\r\n" % (len(data), data))

    send(b'"dogs bark"\n')
    response = connection.getresponse()
    assert json.loads(response.readline())["output"]["words"] == ["dogs", "bark"]
    send(b'["cats", ')
    send(b'"sleep"]\n\n17\n{"input": "cats", "kbest": 1}\nnot json')
    connection.send(b"0\r\n\r\n")
    rest = [json.loads(line) for line in response.read().splitlines()]
    assert [list(each) for each in rest] == [["output"], ["error", "status"], ["output"], ["error", "status"]]
    assert rest[1]["error"].startswith("line 4: a number is not possible here; give a sentence")
    assert rest[3]["error"].startswith("line 6: not JSON (expecting value at character 1)")
    connection.close()


def test_what_there_is_to_see(server: Served) -> None:
    health = server.ask("GET", "/health")
    assert health.body == {"status": "ok", "models": 2, "waiting": 0}
    assert "access-control-allow-origin" not in server.ask("GET", "/health", Origin="http://x").headers
    models = server.ask("GET", "/models").body["models"]
    assert [(each["name"], each["task"]) for each in models] == [("pos", "tagging"), ("trees", "parsing")]
    assert models[0]["labels"] == ["D", "N", "V"] and server.ask("GET", "/models/pos").body == models[0]
    assert str(Path.home()) not in json.dumps(models) and ".model" not in json.dumps(models)
    described = server.ask("GET", "/openapi.json").body
    assert set(described["paths"]) == {
        "/predict",
        "/predict/stream",
        "/health",
        "/models",
        "/models/{name}",
        "/models/{name}/reload",
        "/metrics",
    }
    page = server.ask("GET", "/docs")
    assert page.status == 200 and "http" not in page.body.replace("http-equiv", "")
    metrics = server.ask("GET", "/metrics")
    assert metrics.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    for line in metrics.body.splitlines():
        assert line.startswith("# ") or float(line.rpartition(" ")[2]) >= 0, line


def test_a_model_is_swapped_under_load_and_nothing_is_lost(
    start: Start, models: Path, tmp_path: Path
) -> None:
    place = tmp_path / "pos.model"
    place.write_bytes((models / "pos.model").read_bytes())
    served = start(f"m={place}", "--token", "geheim", "--cors", "http://friend.example")
    token = {"Authorization": "Bearer geheim"}
    check_token(served)
    answers: list[Answer] = []
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            answers.append(served.predict({"input": "dogs bark"}, **token))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    tagger(epochs=1).save(tmp_path / "new")
    (tmp_path / "new").replace(place)
    assert served.ask("POST", "/models/m/reload", **token).body["version"] == 2
    served.signal(signal.SIGHUP)
    while served.metric("structron_reloads_total", **token) < 2:
        pass
    place.with_name("bad").write_bytes(b"no model")
    place.with_name("bad").replace(place)
    refused = served.ask("POST", "/models/m/reload", **token)
    assert refused.status == 409 and str(tmp_path) not in json.dumps(refused.body)
    after = served.predict({"input": "dogs bark"}, **token)
    done.set()
    for thread in threads:
        thread.join()
    assert {answer.status for answer in answers} == {200}
    assert {answer.body["output"]["tags"][0] for answer in answers} == {"N"}
    assert after.body["version"] == 3 and {a.body["version"] for a in answers} <= {1, 2, 3}
    assert served.ask("POST", "/models/m/reload").status == 401


def check_token(served: Served) -> None:
    """It is asked for everywhere but of pages, and origins are known."""
    for given in (
        {},
        {"Authorization": "Bearer nix"},
        {"Authorization": "Basic geheim"},
        {"Authorization": "é"},
    ):
        answer = served.predict({"input": "a"}, **given)
        assert answer.status == 401 and answer.headers["www-authenticate"] == "Bearer"
        for path in ("/metrics", "/models", "/openapi.json"):
            assert served.ask("GET", path, **given).status == 401
    assert served.predict({"input": "a"}, Authorization="Bearer geheim").status == 200
    assert served.ask("GET", "/health").status == served.ask("GET", "/docs").status == 200
    friend = served.ask("GET", "/health", Origin="http://friend.example").headers
    assert friend["access-control-allow-origin"] == "http://friend.example"
    assert "access-control-allow-origin" not in served.ask("GET", "/health", Origin="http://x").headers


def test_a_full_queue_refuses_and_term_answers_what_is_under_way(start: Start, models: Path) -> None:
    # So long a gathering that the requests are surely waiting when others come, and when the signal comes.
    served = start(models / "pos.model", "--queue", 4, "--batch-wait", 900)
    answers: list[Answer] = []

    def ask() -> None:
        answers.append(served.predict({"inputs": ["dogs bark"] * 2}))

    for asked, last in ((6, False), (2, True)):
        answers.clear()
        threads = [threading.Thread(target=ask) for _ in range(asked)]
        for thread in threads:
            thread.start()
        while last and served.ask("GET", "/health").body["waiting"] < 4:
            pass
        if last:
            served.signal(signal.SIGTERM)
        for thread in threads:
            thread.join()
        assert {answer.status for answer in answers} == ({200} if last else {200, 503})
        assert len(answers) == asked
        for answer in answers:
            if answer.status == 503:
                assert answer.headers["retry-after"] == "1" and "the queue is full" in answer.body["error"]
        if not last:
            assert served.predict({"inputs": ["a"] * 5}).status == 413
    code, rest = served.end()
    assert code == 0 and rest == ""


def test_a_server_in_the_background_is_not_ended_by_ctrl_c(start: Start, models: Path) -> None:
    served = start(models / "pos.model", ignoring="INT HUP")
    served.signal(signal.SIGINT)
    with pytest.raises(subprocess.TimeoutExpired):
        served.process.wait(1)
    served.signal(signal.SIGHUP)  # somebody asks for the models; nohup is about terminals
    while served.metric("structron_reloads_total") < 1:
        pass
    served.signal(signal.SIGTERM)
    assert served.end()[0] == 0


@pytest.mark.parametrize("ignored", [True, False], ids=["nohup", "without"])
def test_a_lost_terminal_ends_a_server_that_does_not_ignore_it(ignored: bool, models: Path) -> None:
    command = [sys.executable, "-m", "structron", "serve", "--port", "0", str(models / "pos.model")]
    process, terminal = pty.fork()
    if not process:
        signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else signal.SIG_DFL)
        os.execv(command[0], command)
    try:
        said = b""
        while not (found := re.search(rb"on http://127\.0\.0\.1:(\d+)", said)):
            said += os.read(terminal, 1 << 10)
        os.close(terminal)
        if ignored:
            reloads = 0
            while not reloads:
                connection = http.client.HTTPConnection("127.0.0.1", int(found[1]))
                connection.request("GET", "/metrics")
                told = connection.getresponse().read()
                connection.close()
                reloads = len(re.findall(rb"^structron_reloads_total\S* [1-9]", told, re.MULTILINE))
            os.kill(process, signal.SIGTERM)
    except BaseException:
        os.kill(process, signal.SIGKILL)
        raise
    finally:
        status = os.waitpid(process, 0)[1]
    assert os.waitstatus_to_exitcode(status) == 0


def test_a_model_that_comes_with_structron_is_served_by_its_name() -> None:
    registry = ModelRegistry.of(["en-g2p", "sounds=en-g2p"])
    assert [(name, loaded.kind) for name, loaded in registry.models.items()] == [
        ("en-g2p", "transduction"),
        ("sounds", "transduction"),
    ]
    with pytest.raises(ModelError, match="take one that comes with structron: en, en-g2p"):
        ModelRegistry.of(["nowhere"])
