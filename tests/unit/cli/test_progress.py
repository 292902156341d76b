"""What every command shows of work that takes long: on a terminal a bar, elsewhere lines, and when."""

from __future__ import annotations

import io
import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import DataError, Tagger
from structron.cli.app import main
from structron.cli.commands.predict import portion_told
from structron.cli.terminal import progress
from structron.cli.terminal.progress import Log, duration, shortened, waited_for, watching
from structron.fit import Epoch
from structron.io import Format, Sentence, write
from structron.io.files import streams
from structron.progress import in_pieces, progress_to, report_progress
from structron.synthetic import generate_treebank


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands still until a test moves it."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    drawn = Terminal()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stderr", drawn)
    return drawn


def test_a_bar_comes_when_work_is_slow_and_goes_with_it(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    drawn = on_terminal(monkeypatch)
    name = "reading " + "a-long-folder/" * 9 + "train.conllu"
    with waited_for():
        report_progress("quick", 1, 10)
        clock[0] += 0.4
        report_progress("quick", 10, 10)
        report_progress(name, 1, 10)
        assert not drawn.getvalue()
        clock[0] += 1.0
        report_progress(name, 4, 10)
        clock[0] += 1.0
        report_progress(name, 5, 10)
        report_progress(name, 10, 10)
        with watching(3) as watcher:  # of its own; two at a time are not possible
            watcher.step(1, 5, 10)
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawn.getvalue())
    assert "50%" in plain and "reading …" in plain and "train.conllu" in plain and "epoch 1/3" in plain
    assert "quick" not in plain and max(map(len, re.split(r"[\r\n]+", plain))) <= 80


def test_a_log_has_a_line_after_two_seconds_four_and_eight(
    capsys: pytest.CaptureFixture[str], clock: list[float]
) -> None:
    with waited_for():
        for done in range(40):
            report_progress("predicting", done, 40)
            clock[0] += 0.5
        for done in (0, 1):  # once more, from the beginning
            report_progress("predicting", done, 40)
            clock[0] += 3
        report_progress("reading", 0, 2)
        clock[0] += 1.9
        report_progress("reading", 1, 2)
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "predicting: 10 %, 18 s left",
        "predicting: 20 %, 16 s left",
        "predicting: 40 %, 12 s left",
        "predicting: 80 %, 4 s left",
        "predicting: 2 %, 117 s left",
    ]


def test_an_epoch_in_a_log_says_how_long_the_others_take(
    capsys: pytest.CaptureFixture[str], clock: list[float]
) -> None:
    log = Log(5)
    for number in range(3, 6):  # resumed after the second
        log.step(number, 0, 10)
        clock[0] += 90
        log.epoch(Epoch(number, 2, 9, 1, 1, 0, 0, None, True, 3.0, 3.0))
    ends = [line.rpartition(", ")[2] for line in capsys.readouterr().err.splitlines()]
    assert ends == ["3 min left", "90 s left", "3 tokens/s"]


def test_times_and_names() -> None:
    assert [duration(s) for s in (0.4, 119, 150, 9000)] == ["0 s", "119 s", "2 min", "2.5 h"]
    assert shortened("packing") == "packing"
    assert shortened("x" * 50) == "x" * 37 + "…"
    assert shortened("reading " + "y" * 50 + ".txt") == "reading …" + "y" * 25 + ".txt"


def test_predicting_is_one_share_of_all_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, size in (("a", 300), ("b", 100)):
        (tmp_path / name).write_bytes(b"x" * size)
    places, told = [str(tmp_path / "a"), str(tmp_path / "b")], list[tuple[str, int, int]]()
    with progress_to(lambda *each: told.append(each)):
        with portion_told(places, "out") as read:
            read(300)
            report_progress("within", 1, 2)
            read(100)
        for missing, output in ((["nowhere"], "out"), (places, "-")):
            monkeypatch.setattr(sys, "stdout", Terminal())
            with portion_told(missing, output) as read:
                read(7)
    assert told == [("predicting 2 files", 300, 400), ("predicting 2 files", 400, 400)]


def test_in_pieces_only_where_somebody_listens() -> None:
    told: list[tuple[str, int, int]] = []
    assert list(in_pieces("x", [1, 2, 3], 2)) == [[1, 2, 3]]
    with progress_to(lambda *each: told.append(each)):
        assert list(in_pieces("x", [1, 2, 3], 2)) == [[1, 2], [3]]
        with progress_to(None):
            assert list(in_pieces("y", [1, 2, 3], 2)) == [[1, 2, 3]]
    assert told == [("x", 0, 3), ("x", 2, 3), ("x", 3, 3)]


# ------------------------------------------------------------------------------------- what the commands tell

TREES = generate_treebank(60, np.random.default_rng(2))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("told")
    made = [Sentence.of(tree.words, tree.tags, Format("slash")) for tree in TREES]
    write(made[:40], place / "train.txt")
    write(made[40:], place / "dev.txt")
    words = [[*tree.words] for tree in TREES[:40]]
    tagger = Tagger(epochs=1).fit(words, [[*tree.tags] for tree in TREES[:40]])
    tagger.save(place / "pos.model")
    tagger.calibrate(words, [[*tree.tags] for tree in TREES[:40]]).save(place / "sure.model")
    (place / "text.txt").write_text("".join(" ".join(tree.words) + "\n" for tree in TREES))
    pairs = itertools.product("ab", "cd", "ef")
    (place / "pairs.tsv").write_text("".join(f"{''.join(p)}\t{' '.join(p)}\n" for p in pairs))
    return place


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Everything is told, in small pieces, as if each took seconds."""
    ticks = itertools.count(0.0, 5.0)
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(ticks))
    monkeypatch.setattr("structron.model.PIECE", 3)
    monkeypatch.setattr("structron.fit.learning.PIECE", 3)
    monkeypatch.setattr(streams, "_CHUNK", 400)
    monkeypatch.setattr("structron.cli.files.streams.CHUNK", 400)
    yield


LEFT = r": \d+ %, .* left"
DATA = "{0}/train.txt --dev {0}/dev.txt --format slash"


@pytest.mark.parametrize(
    ("command", "works"),
    [
        ("train tagging " + DATA + " -o {0}/m --epochs 3 --restart", ["reading .*train.txt", "packing"]),
        ("evaluate {0}/pos.model {0}/dev.txt --format slash", ["reading .*dev.txt", "predicting"]),
        ("evaluate {0}/pos.model {0}/dev.txt --format slash --report", ["predicting"]),
        ("predict {0}/pos.model {0}/text.txt -o {0}/out", ["predicting .*text.txt"]),
        ("predict {0}/sure.model {0}/text.txt -o {0}/out --confidence", ["predicting .*text.txt"]),
        ("select {0}/pos.model {0}/text.txt -o {0}/out --format text", ["reading .*text.txt", "predicting"]),
        ("calibrate {0}/pos.model {0}/dev.txt -o {0}/c --format slash", ["predicting"]),
        ("info {0}/pos.model --corpus {0}/dev.txt --format slash", ["looking for features"]),
        ("cluster {0}/text.txt -o {0}/c --classes 4 --least 1", ["reading .*text.txt"]),
        ("align {0}/pairs.tsv -o {0}/a", ["alignment"]),
        ("tune tagging " + DATA + " --budget 2 --set epochs=2", ["trials"]),
        ("curve tagging " + DATA + " --points 2 --set epochs=2", ["trials"]),
        ("audit tagging {0}/dev.txt --format slash --sample 12", ["learning by the definition"]),
    ],
)
@pytest.mark.usefixtures("slow")
def test_every_command_says_how_long_it_takes(
    command: str, works: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.format(folder).split()) == 0
    said = capsys.readouterr().err
    for work in works:
        assert re.search(f"^{work}{LEFT}", said, re.MULTILINE), (work, said)
    if command.startswith("train"):
        assert re.search(r"^epoch 1/3: .* tokens/s, .* left$", said, re.MULTILINE)


@pytest.mark.usefixtures("slow")
def test_in_pieces_the_answers_are_the_same_and_a_bad_input_is_named(folder: Path) -> None:
    tagger = Tagger.load(folder / "pos.model")
    X: list[Any] = [[*tree.words] for tree in TREES]
    whole, k_best = tagger.predict(X), tagger.predict_kbest(X, 3)
    told: list[tuple[str, int, int]] = []
    with progress_to(lambda *each: told.append(each)):
        assert tagger.predict(X) == whole and tagger.predict_kbest(X, 3) == k_best
        assert told[0] == ("predicting", 0, 60) and told[-1] == ("predicting", 60, 60)
        with pytest.raises(DataError, match="sentence 8: "):
            tagger.predict([*X[:7], ["\ud800"], *X[8:]])
