"""How much of the input has been read: a bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence

NAME = 24  # of a file, so that all fits into 80 columns


@contextlib.contextmanager
def reading_bar(places: Sequence[str], output: str) -> Iterator[Callable[[str, int], None]]:
    """A function to call with the name of a file and how many more bytes of it were read.

    There is a bar if standard error is a terminal and all inputs are files, whose size is known; but not
    where the output goes to a terminal and would run into it.
    """
    shown = sys.stderr.isatty() and not (output == "-" and sys.stdout.isatty())
    total = _size(places) if shown else 0
    if not total:
        yield lambda name, count: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from structron.cli.progress import console

    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TaskProgressColumn(),
        TimeRemainingColumn(compact=True),
        console=console(sys.stderr),
        transient=True,
    ) as progress:
        task = progress.add_task("", total=total)

        def read(name: str, count: int) -> None:
            shown = name if len(name) <= NAME else "…" + name[1 - NAME :]
            progress.update(task, advance=count, description=shown)

        yield read


def _size(places: Sequence[str]) -> int:
    """The bytes of all files together; 0 where one of them is a pipe or is not there."""
    total = 0
    for place in places:
        try:
            found = os.fstat(0) if place == "-" else os.stat(place)  # noqa: PTH116
        except (OSError, ValueError):
            return 0
        if not stat.S_ISREG(found.st_mode):
            return 0
        total += found.st_size
    return total
