"""Tests that send signals pass wherever `make test` was started: under nohup, or in the background."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
USUAL = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
STATUS = Path("/proc/self/status")


@pytest.mark.skipif(not STATUS.exists(), reason="needs /proc")
def test_a_child_ignores_no_signal() -> None:
    said = subprocess.run(["cat", STATUS], capture_output=True, text=True, check=True).stdout
    (ignored,) = (int(line.split()[1], 16) for line in said.splitlines() if line.startswith("SigIgn"))
    assert [each.name for each in USUAL if ignored >> (each - 1) & 1] == []


@pytest.mark.skipif(not STATUS.exists(), reason="needs /proc")
@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["alone", "with workers"])
def test_a_child_ignores_no_signal_where_the_shell_ignores_them(workers: tuple[str, ...]) -> None:
    test = f"{Path(__file__).relative_to(ROOT)}::{test_a_child_ignores_no_signal.__name__}"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *workers, test]
    # Not what a worker of pytest-xdist tells its children: this one is nobody's worker.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        ["sh", "-c", "trap '' HUP INT QUIT TERM; exec \"$@\"", "sh", *command],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_the_tests_themselves_go_on_ignoring_what_they_were_told_to_ignore() -> None:
    script = (
        "import os, signal; from tests.conftest import keep_from_children as keep;"
        "keep(); [os.kill(os.getpid(), each) for each in (signal.SIGHUP, signal.SIGINT)]; print('alive')"
    )
    done = subprocess.run(
        ["sh", "-c", "trap '' HUP INT; exec \"$@\"", "sh", sys.executable, "-c", script],
        cwd=ROOT, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.stdout == "alive\n", done.stderr
