"""Closed and full standard streams: training goes on without standard error; there is no traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "structron"]


def shell(redirected: str, *args: object) -> subprocess.CompletedProcess[str]:
    """The command, with its streams as a shell redirects them."""
    return subprocess.run(
        ["sh", "-c", f'"$@" {redirected}', "sh", *COMMAND, *map(str, args)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full", "2>&- >&-", "<&- 2>&- >&-", ">/dev/full 2>&1"])
def test_training_goes_on_when_nothing_can_be_shown(redirected, training, run, tmp_path):
    model, usual = tmp_path / "m", tmp_path / "usual"
    run(*training, "-o", usual, "--epochs", 2)
    done = shell(redirected, *training, "-o", model, "--epochs", 2)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert model.read_bytes() == usual.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"m", "usual"}


@pytest.mark.parametrize(
    "how, why", [(">&-", "bad file descriptor"), (">/dev/full", "no space left on device")]
)
@pytest.mark.parametrize("command", ["--help", "--version", "info", "evaluate", "predict", "show", "train"])
def test_what_cannot_be_written_to_standard_output_is_one_sentence(how, why, command, models, folder):
    more = {
        "info": [models["slash"]],
        "evaluate": [models["slash"], folder / "dev.txt"],
        "predict": [models["slash"], folder / "dev.txt"],
        "show": [models["slash"], "the dog ran"],
        "train": ["tagging", "--help"],
    }
    done = shell(how, command, *more.get(command, []))
    assert done.returncode == 1 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"structron: stdout: cannot be written, {why}; ")


def test_errors_are_errors_also_when_they_cannot_be_told():
    for how in ("2>&-", "2>/dev/full", "2>&- >&-"):
        done = shell(how, "train", "tagging", "missing.txt", "-o", "m")
        assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
        assert shell(how, "nonsense").returncode == 2


def test_a_closed_standard_input_is_no_other_file(models):
    done = shell("<&-", "predict", models["slash"])
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line == "structron: stdin: bad file descriptor; check the path"
