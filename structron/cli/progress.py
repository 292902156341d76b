"""What training shows: a live bar on a terminal, otherwise a line an epoch; and a table at the end."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from structron.training import Epoch, Worker


def console(stream: TextIO) -> Console:
    """A terminal in colours, or plain text that is never folded."""
    from rich.console import Console

    plain = not stream.isatty()
    return Console(file=stream, highlight=False, width=120 if plain else None, soft_wrap=plain)


class Log:
    """One line an epoch, for files and pipes."""

    def __init__(self, epochs: int) -> None:
        self.epochs = epochs
        self.notes: dict[str, str] = {}

    def epoch(self, epoch: Epoch) -> None:
        """Tell an epoch's figures."""
        click.echo(f"epoch {epoch.epoch}/{self.epochs}: {figures(epoch)}", err=True)

    def step(self, epoch: int, done: int, total: int) -> None:
        """Nothing: a log has no use for parts of an epoch."""

    def workers(self, workers: Sequence[Worker]) -> None:
        """What happened to a worker, once."""
        for worker in workers:
            if worker.note and self.notes.get(worker.name) != worker.note:
                self.notes[worker.name] = worker.note
                click.echo(f"{worker.name}: {worker.note}", err=True)


class Bar:
    """A live bar with the figures of the last epoch."""

    def __init__(self, epochs: int, progress: Any) -> None:
        self.epochs, self.progress = epochs, progress
        self.task = progress.add_task("epoch 1", total=None, figures="")
        self.rows: dict[str, Any] = {}

    def epoch(self, epoch: Epoch) -> None:
        """Show an epoch's figures."""
        self.progress.update(self.task, figures=figures(epoch, short=True))

    def step(self, epoch: int, done: int, total: int) -> None:
        """Move the bar."""
        name = f"epoch {epoch}/{self.epochs}"
        self.progress.update(
            self.task, description=name, completed=(epoch - 1) * total + done, total=self.epochs * total
        )

    def workers(self, workers: Sequence[Worker]) -> None:
        """A bar for each worker's part of the epoch."""
        for worker in workers:
            if worker.name not in self.rows:
                self.rows[worker.name] = self.progress.add_task(worker.name, total=None, figures="")
            self.progress.update(
                self.rows[worker.name], completed=worker.done, total=worker.total, figures=worker.note
            )


@contextlib.contextmanager
def watching(epochs: int) -> Iterator[Bar | Log]:
    """The bar, if standard error is a terminal, or the log."""
    if not sys.stderr.isatty():
        yield Log(epochs)
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("[bold]{task.description}"),
        BarColumn(bar_width=24),
        TaskProgressColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[figures]}"),
        console=console(sys.stderr),
        transient=True,
    ) as progress:
        yield Bar(epochs, progress)


def figures(epoch: Epoch, short: bool = False) -> str:
    """An epoch in one line."""
    parts = [] if epoch.dev_score is None else [f"dev {100 * epoch.dev_score:.2f}{' (best)' * epoch.best}"]
    parts += [f"{epoch.errors:,} errors"]
    invalid = f"{100 * epoch.invalid_share:.1f} % invalid"
    if short:
        return " · ".join([*parts, f"{epoch.updates:,} updates, {invalid}"])
    parts += [
        f"{epoch.updates:,} updates",
        f"{epoch.invalid:,} invalid ({100 * epoch.invalid_share:.1f} %)",
        f"{epoch.early_stopped:,} early-stopped",
        f"{epoch.tokens_per_second:,.0f} tokens/s",
    ]
    if epoch.waited_seconds > 0:
        parts += [f"waited {epoch.waited_seconds:.1f} s"]
    return ", ".join(parts)


def table(history: Sequence[Epoch]) -> Table:
    """All epochs, with the best one marked."""
    from rich import box
    from rich.table import Table

    scored = any(epoch.dev_score is not None for epoch in history)
    best = [epoch.epoch for epoch in history if epoch.best][-1:]
    found = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("epoch", "errors", "updates", "invalid", "share", "early-stopped"):
        found.add_column(name, justify="right", no_wrap=True)
    if scored:
        found.add_column("dev", justify="right", no_wrap=True)
    found.add_column("tokens/s", justify="right", no_wrap=True)
    found.add_column("", no_wrap=True)
    for epoch in history:
        chosen = epoch.epoch in best
        cells = [
            f"{epoch.epoch}",
            f"{epoch.errors:,}",
            f"{epoch.updates:,}",
            f"{epoch.invalid:,}",
            f"{100 * epoch.invalid_share:.1f} %",
            f"{epoch.early_stopped:,}",
        ]
        if scored:
            cells.append("" if epoch.dev_score is None else f"{100 * epoch.dev_score:.2f}")
        mark = ("best" if scored else "kept") if chosen else ""
        found.add_row(*cells, f"{epoch.tokens_per_second:,.0f}", mark, style="bold green" if chosen else "")
    return found
