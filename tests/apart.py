"""A script in a process of its own: what crashes or hangs there fails one test and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

# What is loaded before all else, as a sanitizer is, takes address space of its own.
limits_memory = pytest.mark.skipif(
    sys.platform != "linux" or "LD_PRELOAD" in os.environ, reason="memory is not to be limited here"
)

_LONGEST = 300  # seconds until something that hangs is a failure


def run_apart(
    target: Callable[..., None],
    *args: Any,
    prepare: Callable[[], None] | None = None,
    longest: float = _LONGEST,
) -> None:
    """Call a function of a test module in a new interpreter; `prepare` runs before that starts."""
    call = f"from {target.__module__} import {target.__name__} as target; target(*{args!r})"
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", call],
        capture_output=True,
        text=True,
        timeout=longest,
        preexec_fn=prepare,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, f"{target.__name__} ended with {done.returncode}: {done.stderr[-3000:]}"
