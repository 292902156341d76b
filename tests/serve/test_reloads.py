"""A server that reloads its models again and again needs no more memory for it."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import resource
from structron.serve.registry import ModelRegistry

def mib():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20

registry = ModelRegistry.of(["en"])
for _ in range(6):
    list(registry.reload())
    print(mib())
"""


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="memory goes back to the system where malloc is asked"
)
def test_memory_stays_where_it_is() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    found = [float(line) for line in done.stdout.split()]
    assert max(found[1:]) - found[0] < 48, found  # one model takes twice as much
