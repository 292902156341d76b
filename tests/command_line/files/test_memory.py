"""A command for which memory is too short says so in one line."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

from structron.errors import OUT_OF_MEMORY
from tests.apart import limits_memory

MOST = 600 << 20  # bytes; the process alone takes half of it


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST, resource.RLIM_INFINITY))


@limits_memory
def test_too_long_an_input_is_one_sentence(run, training, tmp_path):
    model, text = tmp_path / "m", tmp_path / "text.txt"
    run(*training, "-o", model, "--epochs", 1)
    text.write_text("the old man " * 3_000_000 + "\n")
    command = [sys.executable, "-m", "structron", "predict", str(model), str(text)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        preexec_fn=limit_memory,
        timeout=120,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 1, done.stderr[-2000:]
    assert done.stderr.splitlines()[-1] == f"structron: {OUT_OF_MEMORY}"
    assert "Traceback" not in done.stderr
