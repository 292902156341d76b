"""What cannot be allocated is an error in one sentence, and what was there before can still be used."""

from __future__ import annotations

import resource
from pathlib import Path

from structron import StructronError, Tagger
from structron.errors import OUT_OF_MEMORY
from tests.apart import limits_memory, run_apart

MORE = 300 << 20  # bytes


def limit_memory() -> None:
    """No more than this from now on."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + MORE
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))


def predict_too_much() -> None:
    """A beam whose items need gigabytes; then a small one."""
    limit_memory()
    wide = Tagger(epochs=1, search="beam:4000").fit([["a", "b"]] * 3, [["X", "Y"]] * 3)
    try:
        wide.predict([["a", "b"] * 20_000])
    except StructronError as error:
        assert isinstance(error, MemoryError) and str(error) == OUT_OF_MEMORY, error
    else:
        raise AssertionError("it was no problem")
    assert wide.predict([["a", "b"]]) == [["X", "Y"]]


@limits_memory
def test_the_engine_says_that_memory_is_short() -> None:
    run_apart(predict_too_much)
