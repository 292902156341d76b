"""Progress for machines: every line is an object of JSON, and `none` writes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from structron.cli.app import main
from structron.cli.terminal import json_progress
from structron.cli.terminal.json_progress import JsonLog
from structron.fit import Epoch, Worker
from structron.io import Sentence, write
from tests.unit.estimators.corpora import treebank

X, Y = treebank(30)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    place = tmp_path / "train.tsv"
    write([Sentence.of(x, y) for x, y in zip(X, Y)], place)
    return place


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


@pytest.mark.parametrize("by", ["option", "variable"])
def test_a_training_writes_its_epochs(
    corpus: Path, by: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["train", "tagging", str(corpus), "--epochs", "2", "-o", str(corpus.with_name("m"))]
    if by == "variable":
        monkeypatch.setenv("STRUCTRON_PROGRESS", "json")
    assert main([*(["--progress", "json"] if by == "option" else []), *command]) == 0
    found = lines(capsys.readouterr().err)
    epochs = [line for line in found if line["event"] == "epoch"]
    assert [(line["epoch"], line["epochs"]) for line in epochs] == [(1, 2), (2, 2)]
    assert all({"errors", "updates", "dev_score", "seconds", "time"} <= set(line) for line in epochs)
    work = [line for line in found if line["event"] == "progress"]
    assert {line["what"] for line in work} >= {"epoch 1/2", "epoch 2/2"}
    assert all(line["total"] is None or 0 <= line["done"] <= line["total"] for line in work)


def test_none_writes_no_progress_and_the_next_command_does_again(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["train", "tagging", str(corpus), "--epochs", "1", "-o", str(corpus.with_name("m"))]
    assert main(["--progress", "none", *command]) == 0
    assert "epoch 1/1" not in capsys.readouterr().err
    assert main(command) == 0
    assert "epoch 1/1: " in capsys.readouterr().err
    assert main(["--progress", "xml", *command]) == 2
    assert "'xml' is not one of 'auto', 'json', 'none'" in capsys.readouterr().err


def test_a_line_a_second_and_one_at_the_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(json_progress.time, "monotonic", lambda: now[0])
    log = JsonLog(3)
    for done in (0, 1, 2):
        log.heard("reading", done, 4)
    now[0] += 2
    log.heard("reading", 3, 4)
    log.heard("reading", 4, 4)
    log.heard("reading", 4, 4)
    log.heard("lines", 7, 0)
    worker = Worker("worker 1", 1, 2, "replaced")
    log.workers([worker])
    log.workers([worker])
    log.epoch(Epoch(1, 2, 9, 1, 4, 1, 0, 0.5, True, 3.0, 3.0))
    found = lines(capsys.readouterr().err)
    work = [(line["what"], line["done"], line["total"]) for line in found if line["event"] == "progress"]
    assert work == [("reading", 0, 4), ("reading", 3, 4), ("reading", 4, 4), ("lines", 7, None)]
    (told,) = [line for line in found if line["event"] == "worker"]
    assert (told["name"], told["note"]) == ("worker 1", "replaced")
    assert found[-1]["event"] == "epoch" and found[-1]["invalid_share"] == 0.25
