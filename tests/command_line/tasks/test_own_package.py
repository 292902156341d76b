"""A task in a package of its own has everything that those of structron have, and no line of structron
knows it."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.own_package import environment, install

TEXT = (Path(__file__).parents[3] / "examples" / "truecasing" / "sample.txt").read_text()
ASKED, RIGHT = "anna saw the usa with tom .", "Anna saw the USA with Tom ."


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the installed example, a text, and a model that has learned from it."""
    folder = tmp_path_factory.mktemp("own")
    install(folder)
    (folder / "text.txt").write_text(TEXT * 2)
    run(folder, "train", "truecasing", "text.txt", "--epochs", 4, "--dev", "text.txt", "-o", "m")
    return folder


def run(place: Path, *words: object, given: str | None = None, code: int = 0) -> str:
    """Run a command where the package is installed."""
    done = subprocess.run(
        [sys.executable, "-m", "structron.cli", *map(str, words)],
        input=given, capture_output=True, text=True, cwd=place, check=False, env=environment(place),
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_it_is_in_every_command(place: Path) -> None:
    assert "Give words back the capitals that they have lost." in run(place, "train", "--help")
    assert "--learner" in run(place, "train", "truecasing", "--help")
    assert run(place, "predict", "m", given=f"{ASKED}\n") == f"{RIGHT}\n"
    assert run(place, "predict", "m", "--kbest", 2, given=f"{ASKED}\n").count("\n") == 2
    figures = json.loads(run(place, "evaluate", "m", "text.txt", "--json").splitlines()[0])
    assert figures["accuracy"] == figures["word_accuracy"] == 1.0
    assert json.loads(run(place, "info", "m", "--json"))["task"] == "truecasing"
    shown = run(place, "show", "m", ASKED, "--gold", RIGHT)
    assert f"guess  {RIGHT}" in shown and "max-violation" in shown
    assert "word=anna -> Capital" in run(place, "explain", "m", ASKED, "--top", 30)
    assert "The bounds are kept" in run(place, "audit", "truecasing", "text.txt", "--sample", 3)
    tuned = run(place, "tune", "truecasing", "text.txt", "--folds", 2, "--budget", 2)
    assert "structron train truecasing text.txt" in tuned
    assert "sentences" in run(place, "curve", "truecasing", "text.txt", "--folds", 2)


def test_it_is_used_from_python(place: Path) -> None:
    code = (
        "import structron; from truecasing.estimator import Truecaser; model = structron.load('m'); "
        f"assert isinstance(model, Truecaser); print(*model.predict([{ASKED!r}])); model.save('again')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=place, env=environment(place)
    )
    assert done.stdout == f"{RIGHT}\n", done.stderr
    assert (place / "again").read_bytes() == (place / "m").read_bytes()


@pytest.fixture(scope="module")
def port(place: Path) -> Iterator[int]:
    """Serve the model and the playground; yield the port."""
    pytest.importorskip("httptools", reason="needs structron[serve]")
    process = subprocess.Popen(
        [sys.executable, "-m", "structron", "serve", "--port", "0", "--playground", "m"],
        cwd=place, env=environment(place), stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    found = next(filter(None, (re.search(r" on http://127\.0\.0\.1:(\d+)", each) for each in process.stderr)))
    yield int(found[1])
    process.send_signal(signal.SIGTERM)
    process.stderr.read()
    assert process.wait(60) == 0


def ask(port: int, path: str, body: Any = None) -> Any:
    """Send one request, and return the JSON or the text that comes back."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    data = None if body is None else json.dumps(body)
    connection.request("GET" if body is None else "POST", path, data, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    text = answer.read().decode()
    assert answer.status in (200, 201), text
    return json.loads(text) if "json" in (answer.getheader("content-type") or "") else text


def test_it_is_served(port: int) -> None:
    answer = ask(port, "/predict", {"input": ASKED, "task": "truecasing"})
    assert answer["output"] == RIGHT and answer["model"] == "m"
    best = ask(port, "/predict", {"inputs": [ASKED], "kbest": 2})["outputs"][0]
    assert best[0]["output"] == RIGHT and best[0]["score"] > best[1]["score"]
    (about,) = (each for each in ask(port, "/models")["models"] if each["name"] == "m")
    assert about["task"] == "truecasing" and about["takes"] == "a sentence, words between blanks"


def test_it_is_played(port: int) -> None:
    assert "truecasing" in ask(port, "/play/state")["choices"]["task"]
    film = ask(port, "/play/film", {"model": "m", "input": ASKED, "gold": RIGHT})
    assert film["guess"] == RIGHT and film["words"] == ASKED.split()
    explained = ask(port, "/play/explain", {"model": "m", "input": ASKED})["explanation"]["decisions"]
    assert [each["guess"] for each in explained][:4] == ["Capital", "lower", "lower", "UPPER"]
    lesson = ask(port, "/play/lessons", {"task": "truecasing", "epochs": 1})["lesson"]
    assert '"kind": "end"' in ask(port, f"/play/lessons/{lesson}/events")


def test_it_is_trained_in_batches_and_shards_and_resumed(place: Path) -> None:
    run(place, "train", "truecasing", "text.txt", "--epochs", 2, "-o", "a", "--batch", 4)
    run(place, "train", "truecasing", "text.txt", "--epochs", 2, "-o", "b", "--batch", 4, "--threads", 2)
    assert (place / "a").read_bytes() == (place / "b").read_bytes()
    run(place, "train", "truecasing", "text.txt", "--epochs", 1, "-o", "c", "--keep-checkpoint")
    run(place, "train", "truecasing", "text.txt", "--epochs", 2, "-o", "c", "--resume")
    run(place, "train", "truecasing", "text.txt", "--epochs", 2, "-o", "d")
    assert (place / "c").read_bytes() == (place / "d").read_bytes()


def test_without_its_package_the_model_is_refused_in_a_sentence(place: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "structron.cli", "predict", "m", "text.txt"],
        capture_output=True, text=True, cwd=place, check=False, env=environment(None),
    )  # fmt: skip
    assert (
        done.returncode == 1
        and "a model of kind 'truecasing', which this version does not know" in done.stderr
    )
