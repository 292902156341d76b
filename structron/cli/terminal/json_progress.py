"""Progress for machines: an object of JSON a line on standard error (`structron --progress json …`)."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from structron.fit import Epoch, Worker

OFTEN = 1.0  # seconds between two lines of the same work


class JsonLog:
    """Progress as lines of JSON: events ``progress``, ``epoch`` and ``worker``.

    Parameters
    ----------
    epochs
        How many epochs there will be; 0 if this is no training.
    """

    def __init__(self, epochs: int = 0) -> None:
        self.epochs = epochs
        self.name, self.due, self.total = "", 0.0, 0
        self.notes: dict[str, str] = {}

    def epoch(self, epoch: Epoch) -> None:
        """Write all figures of an epoch."""
        from dataclasses import asdict

        _write("epoch", asdict(epoch) | {"epochs": self.epochs, "invalid_share": epoch.invalid_share})

    def step(self, epoch: int, done: int, total: int) -> None:
        """Write how far an epoch is."""
        self.heard(f"epoch {epoch}/{self.epochs}", done, total)

    def stage(self, name: str, done: int, total: int) -> None:
        """Write how far the work before the first epoch is."""
        self.heard(name, done, total)

    def heard(self, name: str, done: int, total: int) -> None:
        """Write how far any work is: when it begins, every second, and when it is done."""
        now = time.monotonic()
        is_over = 0 < total <= done
        if name == self.name and now < self.due and not (is_over and self.total != done):
            return
        self.name, self.due, self.total = name, now + OFTEN, done if is_over else 0
        _write("progress", {"what": name, "done": done, "total": total or None})

    def workers(self, workers: Sequence[Worker]) -> None:
        """Write once what happened to a worker."""
        for worker in workers:
            if worker.note and self.notes.get(worker.name) != worker.note:
                self.notes[worker.name] = worker.note
                _write("worker", {"name": worker.name, "note": worker.note})


class Silence(JsonLog):
    """A listener that prints nothing."""

    def epoch(self, epoch: Epoch) -> None:
        """Say nothing."""

    def heard(self, name: str, done: int, total: int) -> None:
        """Say nothing."""

    def workers(self, workers: Sequence[Worker]) -> None:
        """Say nothing."""


def _write(event: str, fields: dict[str, Any]) -> None:
    click.echo(json.dumps({"event": event, "time": round(time.time(), 3)} | fields), err=True)
