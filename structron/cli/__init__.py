"""The command line: parse, call, print."""

from __future__ import annotations

import gc
from collections.abc import Sequence

NEW_OBJECTS = 200_000  # between two searches for cycles

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code: 0 fine, 1 refused, 2 usage, 130 interrupted.

    Imports and models make many objects that stay: to search them for cycles as often as Python usually does
    takes a tenth of the time of a short command.
    """
    gc.set_threshold(max(gc.get_threshold()[0], NEW_OBJECTS), *gc.get_threshold()[1:])
    from structron.cli.app import main as run

    return run(args)
