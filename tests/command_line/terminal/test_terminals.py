"""What training shows on terminals of several widths: bars that can be seen, and numbers that are whole."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from typing import ClassVar

import pytest

from structron.cli.terminal.progress import Bar, Log, shorter, table
from structron.fit import Epoch


def on_terminal(width: int, *args: object) -> list[str]:
    """All lines that ever stood on a terminal of this width, colours left out."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    environment = {
        name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "structron", *map(str, args)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment | {"TERM": "xterm", "PYTHONUTF8": "1"},
    )
    os.close(theirs)
    found = b""
    try:
        while chunk := os.read(ours, 1 << 16):
            found += chunk
    except OSError:  # so a terminal ends on Linux
        pass
    os.close(ours)
    assert process.wait(60) == 0, found.decode()
    return [
        line for line in re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", found.decode())) if line
    ]


def test_colours_are_for_terminals_alone_and_for_those_who_want_them(run, monkeypatch):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "structron", "info", "en"]
    written = []
    for more in ({}, {"NO_COLOR": "1"}):
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | more
        subprocess.run(command, stdout=theirs, env=environment | {"TERM": "xterm"}, timeout=60, check=True)
        written.append(os.read(ours, 1 << 16))
    os.close(ours)
    os.close(theirs)
    assert b"\x1b[1m" in written[0] and b"\x1b" not in written[1]
    assert "\x1b" not in run("info", "en").stdout


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_bar_stays_and_no_number_is_cut(folder, tmp_path, width):
    files = (folder / "train.conllu", "--dev", folder / "dev.conllu", "-o", tmp_path / "m")
    lines = on_terminal(width, "train", "tagging", *files, "--epochs", 40)
    bars = [line for line in lines if line.startswith("epoch ") and "/40" in line]
    assert bars and all(line.count("━") + line.count("╸") + line.count("╺") >= 24 for line in bars)
    assert any("dev " in line for line in bars)
    assert max(map(len, lines[1:])) <= max(width, *(len(line) for line in lines if str(tmp_path) in line))
    assert all(len(line) <= width for line in lines if str(folder) not in line and str(tmp_path) not in line)
    assert "…" not in "".join(lines)
    (head,) = [line for line in lines if line.split()[:2] == ["epoch", "errors"]]
    assert "dev" in head and ("early" in head) == (width >= 80)


def test_stages_before_the_first_epoch_move_the_bar_and_are_a_line_each_in_a_log(capsys):
    class Progress:
        moved: ClassVar[list[tuple[str, int, int]]] = []

        def add_task(self, *args, **values):
            return 0

        def update(self, task, description, completed, total):
            self.moved.append((description, completed, total))

    stages = [("tagger upos, fold 1 of 2", 1, 4), ("tagger upos, fold 1 of 2", 4, 4), ("alignment", 1, 20)]
    bar, log = Bar(3, Progress()), Log(3)
    for stage in stages:
        bar.stage(*stage)
        log.stage(*stage)
    assert Progress.moved == stages
    assert capsys.readouterr().err == "tagger upos, fold 1 of 2\nalignment\n"


class Stream:
    def isatty(self) -> bool:
        return True


def epochs(count: int, large: int) -> list[Epoch]:
    return [
        Epoch(n, large, large, large, large, large // 3, large // 2, 0.95123, True, 1.0, 1.0)
        for n in range(1, count + 1)
    ]


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("large", [7, 123_456, 98_765_432])
def test_tables_fit_and_numbers_are_whole(monkeypatch, width, large):
    monkeypatch.setenv("COLUMNS", str(width))
    lines = table(epochs(12, large), Stream())
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    assert max(map(len, plain)) <= width
    assert all(f"{large:,}" in line and "95.12" in line for line in plain[3:-1])
    assert plain[-2].endswith("best") and len(set(map(len, plain[3:6]))) == 1
    if width == 120:
        assert plain[1].split() == [
            "epoch",
            "errors",
            "updates",
            "invalid",
            "share",
            "early",
            "dev",
            "tokens/s",
        ]


def test_figures_beside_a_bar_shrink_one_by_one():
    forms = shorter(epochs(1, 123_456)[0])
    assert forms[0] == "dev 95.12 (best) · 123,456 errors · 123,456 updates, 33.3 % invalid"
    assert forms[-2:] == ("dev 95.12", "")
    assert list(map(len, forms)) == sorted(map(len, forms), reverse=True)
