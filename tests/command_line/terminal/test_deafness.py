"""A signal is heard at once, whatever the engine is busy with, and ends the call as Ctrl-C does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from tests import busy

WORK = [
    name for name, call in vars(busy).items() if getattr(call, "__annotations__", {}).get("return") == "Call"
]
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LONGEST = 20  # seconds: some have much to give back to the system


@pytest.mark.parametrize(
    ("work", "number"), [(name, SIGNALS[i % 3]) for i, name in enumerate(WORK) if name[0] != "_"]
)
def test_the_engine_hears_signals(work: str, number: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-m", "tests.busy", work],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUTF8": "1"},
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"busy\n", process.communicate()[1][-2000:]
        time.sleep(1.5)  # until it is in the middle of it
        assert process.poll() is None, "it was not busy for long"
        process.send_signal(number)
        said = process.communicate(timeout=LONGEST)[1]
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130, said[-2000:]
