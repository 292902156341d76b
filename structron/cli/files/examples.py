"""The examples of one file or of several, and a line about how many there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from structron.cli import task_cli
from structron.cli.files import streams
from structron.cli.task_cli import Reading
from structron.cli.terminal.counting import counted
from structron.errors import DataError, SettingError

if TYPE_CHECKING:
    from structron.cli.task_cli import AnyTaskCLI
    from structron.io import Files


def labelled(
    shown: AnyTaskCLI,
    place: str | tuple[str, ...],
    reading: Reading,
    settings: Mapping[str, object],
) -> list[Any]:
    """Read the examples of one file, of several in turn, or of files side by side."""
    from structron.io import Report
    from structron.io.files.patterns import check_alike

    report = Report()
    together = isinstance(place, str) or bool(shown.sides)
    places: tuple[Any, ...] = (place,) if together else tuple(place)
    examples: list[Any] = []
    for each in places:
        examples += shown.labelled(each, reading, report, settings)
    if len(places) > 1:
        check_alike(examples)
        if isinstance(shown, task_cli.Joining):
            examples = shown.joined(examples)
    name = task_cli.named(place) if together or len(places) < 3 else f"{places[0]} to {places[-1]}"
    if len(places) > 1:
        name += f" ({len(places)} files)"
    count = sum(map(len, examples))
    click.echo(f"{name}: {counted(len(examples), shown.items)}, {counted(count, shown.parts)}", err=True)
    if said := streams.left_out(report, name):
        click.echo(said, err=True)
    if not examples:
        raise DataError(f"{name}: there are no {shown.items} to use; check the file")
    return examples


def streamed_files(
    shown: AnyTaskCLI,
    places: tuple[str, ...],
    reading: Reading,
    settings: Mapping[str, Any],
) -> Files:
    """Return the files of a task that can learn from them piece by piece; refuse other tasks."""
    from structron.io import Files

    if not shown.estimator.streams:
        raise SettingError(f"--stream: {shown.estimator.kind} is learned from data in memory; leave it out")
    if "-" in places:
        raise SettingError("--stream reads its data more than once, standard input comes once; give files")
    return Files(
        places,
        reading.format,
        reading.columns,
        str(reading.encoding),
        reading.skip_bad,
        settings["target"],
    )
