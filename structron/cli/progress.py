"""What training shows: a live bar on a terminal, otherwise a line an epoch; and a table at the end."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

import click

from structron.cli.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

    from structron.training import Epoch, Worker

BAR = 24  # columns of the bar
PLAIN = 120  # columns of what is no terminal
GAP = "  "


def console(stream: TextIO) -> Console:
    """A terminal in colours, or plain text that is never folded."""
    from rich.console import Console

    plain = not stream.isatty()
    return Console(file=stream, highlight=False, width=PLAIN if plain else None, soft_wrap=plain)


class Log:
    """One line an epoch, for files and pipes."""

    def __init__(self, epochs: int) -> None:
        self.epochs = epochs
        self.notes: dict[str, str] = {}
        self.name = ""

    def epoch(self, epoch: Epoch) -> None:
        """Print an epoch's figures."""
        click.echo(f"epoch {epoch.epoch}/{self.epochs}: {figures(epoch)}", err=True)

    def step(self, epoch: int, done: int, total: int) -> None:
        """Nothing: a log has no use for parts of an epoch."""

    def stage(self, name: str, done: int, total: int) -> None:
        """What is done before the first epoch, once each."""
        if name != self.name:
            self.name = name
            click.echo(name, err=True)

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
        self.task = progress.add_task("starting", total=None, figures=())
        self.rows: dict[str, Any] = {}

    def stage(self, name: str, done: int, total: int) -> None:
        """Move the bar of what comes before the first epoch."""
        self.progress.update(self.task, description=name, completed=done, total=total)

    def epoch(self, epoch: Epoch) -> None:
        """Show an epoch's figures."""
        self.progress.update(self.task, figures=shorter(epoch))

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
                self.rows[worker.name] = self.progress.add_task(worker.name, total=None, figures=())
            note = (worker.note, worker.note.partition(" (")[0])
            self.progress.update(
                self.rows[worker.name], completed=worker.done, total=worker.total, figures=note
            )


@contextlib.contextmanager
def watching(epochs: int) -> Iterator[Bar | Log]:
    """The bar, if standard error is a terminal, or the log."""
    if not sys.stderr.isatty():
        yield Log(epochs)
        return
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn
    from rich.progress import TaskProgressColumn as Share
    from rich.progress import TimeRemainingColumn as Left
    from rich.text import Text

    class Figures(ProgressColumn):
        """As many figures as there is room for: the bar stays."""

        def render(self, task: Any) -> Text:
            widest = max(len(each.description) for each in progress.tasks)
            # Between the columns there are blanks; share and time take four and five.
            room = terminal.width - widest - BAR - len(" 100% 00:00 ") - 3
            return Text(next((text for text in task.fields["figures"] if len(text) <= room), ""))

    terminal = console(sys.stderr)
    columns = (TextColumn("[bold]{task.description}"), BarColumn(BAR), Share(), Left(compact=True), Figures())
    with Progress(*columns, console=terminal, transient=True) as progress:
        yield Bar(epochs, progress)


def figures(epoch: Epoch) -> str:
    """An epoch in one line."""
    parts = [] if epoch.dev_score is None else [f"dev {100 * epoch.dev_score:.2f}{' (best)' * epoch.best}"]
    parts += [
        counted(epoch.errors, "errors"),
        counted(epoch.updates, "updates"),
        f"{epoch.invalid:,} invalid ({100 * epoch.invalid_share:.1f} %)",
        f"{epoch.early_stopped:,} early-stopped",
        f"{epoch.tokens_per_second:,.0f} tokens/s",
    ]
    parts += [f"{name} {value:.3f}" for name, value in epoch.notes.items()]
    if epoch.waited_seconds > 0:
        parts += [f"waited {epoch.waited_seconds:.1f} s"]
    return ", ".join(parts)


def shorter(epoch: Epoch) -> tuple[str, ...]:
    """An epoch for beside a bar, the longest text first."""
    scored = [] if epoch.dev_score is None else [f"dev {100 * epoch.dev_score:.2f}"]
    best = [f"{score}{' (best)' * epoch.best}" for score in scored]
    errors, updates = counted(epoch.errors, "errors"), counted(epoch.updates, "updates")
    invalid = f"{100 * epoch.invalid_share:.1f} % invalid"
    forms = (
        [*best, errors, f"{updates}, {invalid}"],
        [*best, errors, updates],
        [*best, errors],
        best,
        scored,
    )
    return (*(" · ".join(form) for form in forms), "")


def table(history: Sequence[Epoch], stream: TextIO) -> list[str]:
    """All epochs, the one that is kept marked, in as many columns as the stream has room for."""
    if not history:
        return []
    width = console(stream).width - 1
    scored = any(epoch.dev_score is not None for epoch in history)
    # None is, if no epoch was better than what training started from.
    kept = max((epoch.epoch for epoch in history if epoch.best), default=0)
    columns = {
        "epoch": [f"{e.epoch}" for e in history],
        "errors": [f"{e.errors:,}" for e in history],
        "updates": [f"{e.updates:,}" for e in history],
        "invalid": [f"{e.invalid:,}" for e in history],
        "share": [f"{100 * e.invalid_share:.1f} %" for e in history],
        "early": [f"{e.early_stopped:,}" for e in history],
        "dev": ["" if e.dev_score is None else f"{100 * e.dev_score:.2f}" for e in history],
        "tokens/s": [f"{e.tokens_per_second:,.0f}" for e in history],
        "": [("best" if scored else "kept") if e.epoch == kept else "" for e in history],
    }
    if not scored:
        del columns["dev"]
    # A number is whole or not there at all: what matters least goes first.
    for name in ("early", "invalid", "tokens/s", "updates", "share"):
        if _width(columns) > width:
            del columns[name]
    widths = {name: max(map(len, [name, *cells])) for name, cells in columns.items()}
    head = GAP.join(name.rjust(widths[name]) for name in columns).rstrip()
    lines = [click.style(head, bold=True), "-" * min(width, _width(columns))]
    for i, epoch in enumerate(history):
        cells = GAP.join(cell[i].rjust(widths[name]) for name, cell in columns.items()).rstrip()
        lines.append(click.style(cells, fg="green", bold=True) if epoch.epoch == kept else cells)
    # A blank before them, so that no line looks like one of the log.
    return ["", *(f" {line}" for line in lines), ""]


def _width(columns: dict[str, list[str]]) -> int:
    return sum(max(map(len, [name, *cells])) + len(GAP) for name, cells in columns.items()) - len(GAP)
