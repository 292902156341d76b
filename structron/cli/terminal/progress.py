"""Progress: a live bar on a terminal, otherwise lines; and the table of epochs after a training."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TextIO

import click

from structron.cli.terminal.counting import counted
from structron.progress import progress_to

if TYPE_CHECKING:
    from rich.console import Console

    from structron.cli.terminal.json_progress import JsonLog
    from structron.fit import Epoch, Worker

BAR = 24  # columns of the bar
PLAIN = 120  # columns of what is no terminal
NAME = 38  # characters of what is under way, so that all fits into 80 columns
GAP = "  "
SOON, SLOW = 0.5, 2.0  # seconds after which a bar appears, and a line in a log


def console(stream: TextIO) -> Console:
    """Return a terminal in colours, or plain text that is never folded."""
    from rich.console import Console

    plain = not stream.isatty()
    return Console(file=stream, highlight=False, width=PLAIN if plain else None, soft_wrap=plain)


class Pace:
    """The clock of a piece of work: the time it has taken, and the time that is left."""

    def __init__(self) -> None:
        self.name = ""
        self.began, self.first, self.last = 0.0, 0, 0

    def is_new(self, name: str, done: int) -> bool:
        """Return whether this is other work than before, or the same again."""
        return name != self.name or done < self.last

    def at(self, name: str, done: int) -> float:
        """Return the seconds since this work began."""
        if self.is_new(name, done):
            self.name, self.began, self.first = name, time.monotonic(), done
        self.last = done
        return time.monotonic() - self.began

    def left(self, done: int, total: int) -> float:
        """Return the seconds that are left at the speed so far."""
        return (time.monotonic() - self.began) * (total - done) / max(1, done - self.first)


class Log:
    """A log for files and pipes: a line for each epoch, and now and then one for other long work."""

    def __init__(self, epochs: int) -> None:
        self.epochs = epochs
        self.notes: dict[str, str] = {}
        self.name = ""
        self.pace, self.epoch_pace = Pace(), Pace()
        self.due = SLOW

    def epoch(self, epoch: Epoch) -> None:
        """Print an epoch's figures, and how long the others may take."""
        left = self.epoch_pace.left(epoch.epoch, self.epochs) if self.epoch_pace.name else 0.0
        told = f", {duration(left)} left" if left >= SLOW else ""
        click.echo(f"epoch {epoch.epoch}/{self.epochs}: {figures(epoch)}{told}", err=True)

    def step(self, epoch: int, done: int, total: int) -> None:
        """Start the clock; a log has no use for parts of an epoch."""
        self.epoch_pace.at("epochs", epoch - 1)

    def stage(self, name: str, done: int, total: int) -> None:
        """Print each stage before the first epoch once."""
        if name != self.name:
            self.name = name
            click.echo(name, err=True)
        self.heard(name, done, total)

    def heard(self, name: str, done: int, total: int) -> None:
        """Print a line after two seconds, after four and so on: quick work is not worth one."""
        if self.pace.is_new(name, done):
            self.due = SLOW
        elapsed = self.pace.at(name, done)
        if elapsed >= self.due and self.pace.first < done < total:
            self.due = 2 * elapsed
            left = duration(self.pace.left(done, total))
            click.echo(f"{name}: {100 * done / total:.0f} %, {left} left", err=True)

    def workers(self, workers: Sequence[Worker]) -> None:
        """Print once what happened to a worker."""
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
        self.within = ""  # the epoch under way

    def stage(self, name: str, done: int, total: int) -> None:
        """Move the bar of what comes before the first epoch."""
        self.progress.update(self.task, description=shortened(name), completed=done, total=total)

    def heard(self, name: str, done: int, total: int) -> None:
        """Show work that was not announced; within an epoch, only name it."""
        if not self.within:
            self.stage(name, done, total)
        else:
            share = f", {name} {100 * done // max(1, total)} %" if done < total else ""
            self.progress.update(self.task, description=self.within + share)

    def epoch(self, epoch: Epoch) -> None:
        """Show an epoch's figures."""
        self.progress.update(self.task, figures=shorter(epoch))

    def step(self, epoch: int, done: int, total: int) -> None:
        """Move the bar."""
        self.within = f"epoch {epoch}/{self.epochs}"
        self.progress.update(
            self.task,
            description=self.within,
            completed=(epoch - 1) * total + done,
            total=self.epochs * total,
        )

    def workers(self, workers: Sequence[Worker]) -> None:
        """Show a bar for each worker's part of the epoch."""
        for worker in workers:
            if worker.name not in self.rows:
                self.rows[worker.name] = self.progress.add_task(worker.name, total=None, figures=())
            note = (worker.note, worker.note.partition(" (")[0])
            self.progress.update(
                self.rows[worker.name], completed=worker.done, total=worker.total, figures=note
            )


KINDS = ("auto", "json", "none")

_kind: ContextVar[str] = ContextVar("kind", default="auto")


def show_as(kind: str) -> None:
    """Show progress from now on as a bar or log (``auto``), as lines of JSON, or not at all."""
    _kind.set(kind)


def _plain(epochs: int) -> Log | JsonLog | None:
    """Return the writer of progress lines; None where a bar should be shown."""
    if _kind.get() == "auto":
        return None if sys.stderr.isatty() else Log(epochs)
    from structron.cli.terminal.json_progress import JsonLog, Silence

    return JsonLog(epochs) if _kind.get() == "json" else Silence()


class Waiting:
    """A bar for long work in any command: it comes after a second and goes when the work is done."""

    def __init__(self) -> None:
        self.kind, self.log = "", _plain(0)
        self.bar: Bar | None = None
        self.pace, self.stack = Pace(), contextlib.ExitStack()

    def heard(self, name: str, done: int, total: int) -> None:
        """Show progress if the work takes long enough."""
        if self.kind != _kind.get():  # the command has said by now how to show it
            self.kind, self.log = _kind.get(), _plain(0)
        if self.log is not None:
            self.log.heard(name, done, total)
        elif self.pace.at(name, done) >= SOON and done < total:
            if self.bar is None:
                self.bar = self.stack.enter_context(_bar(0))
            self.bar.stage(name, done, total)
        elif done >= total:
            self.hide()

    def hide(self) -> None:
        """Remove the bar: nothing is waited for, or something else shows it."""
        self.bar = None
        self.stack.close()


_waiting: ContextVar[Waiting | None] = ContextVar("waiting", default=None)


@contextlib.contextmanager
def waited_for() -> Iterator[None]:
    """Show whatever takes long in a command."""
    waiting = Waiting()
    token = _waiting.set(waiting)
    try:
        with progress_to(waiting.heard):
            yield
    finally:
        _waiting.reset(token)
        waiting.hide()


@contextlib.contextmanager
def watching(epochs: int = 0) -> Iterator[Bar | Log | JsonLog]:
    """Yield the bar if standard error is a terminal, or the log; other long work goes to it too."""
    if (waiting := _waiting.get()) is not None:
        waiting.hide()  # there can be one bar at a time
    plain = _plain(epochs)
    shown = _bar(epochs) if plain is None else contextlib.nullcontext(plain)
    with shown as watcher, progress_to(watcher.heard):
        yield watcher


@contextlib.contextmanager
def _bar(epochs: int) -> Iterator[Bar]:
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
    name = TextColumn("{task.description}", style="bold", markup=False)
    columns = (name, BarColumn(BAR), Share(), Left(compact=True), Figures())
    with Progress(*columns, console=terminal, transient=True) as progress:
        yield Bar(epochs, progress)


def duration(seconds: float) -> str:
    """Return ``8 s``, ``3 min``, ``2.5 h``."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def shortened(name: str) -> str:
    """Shorten a name to leave room for the bar; the end of a path says more than its beginning."""
    if len(name) <= NAME:
        return name
    verb, _, path = name.partition(" ")
    return f"{verb} …{path[len(verb) + 2 - NAME :]}" if len(verb) < NAME // 2 else name[: NAME - 1] + "…"


def figures(epoch: Epoch) -> str:
    """Return an epoch in one line."""
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
    """Return texts of an epoch to stand beside a bar, the longest first."""
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
    """Lay out all epochs, the retained one marked, in as many columns as fit."""
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
