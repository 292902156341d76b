"""The table of update methods and searches in the demo."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click
import numpy as np

from structron.tasks.tagging import Tagger

if TYPE_CHECKING:
    from rich.console import Console

SEARCHES = ("beam:1", "beam:2", "beam:4", "exact")


@dataclass
class Result:
    """One row of the table; counts are of all runs."""

    search: str
    update: str
    accuracies: list[float] = field(default_factory=list)
    updates: int = 0
    invalid: int = 0
    seconds: float = 0.0

    @property
    def accuracy(self) -> float:
        """The mean of all runs."""
        return sum(self.accuracies) / len(self.accuracies)

    @property
    def invalid_share(self) -> float:
        """The share of invalid updates."""
        return self.invalid / self.updates if self.updates else 0.0

    def add(self, tagger: Tagger, accuracy: float, seconds: float) -> None:
        """Count one more run."""
        self.accuracies.append(accuracy)
        self.updates += sum(epoch.updates for epoch in tagger.history_)
        self.invalid += sum(epoch.invalid for epoch in tagger.history_)
        self.seconds += seconds


def print_results(results: Sequence[Result], words: int, runs: int, console: Console) -> None:
    """Print accuracy on so many words, invalid updates and time, as means of so many runs."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("search", "update"):
        table.add_column(name)
    for name in ("accuracy", "updates", "invalid", "share", "seconds"):
        table.add_column(name, justify="right")
    for search in SEARCHES:
        rows = [result for result in results if result.search == search]
        top = max(result.accuracy for result in rows)
        for i, result in enumerate(rows):
            right = f"{100 * result.accuracy:.2f}"
            share = f"{100 * result.invalid_share:.1f} %"
            table.add_row(
                search if i == 0 else "",
                result.update.replace("_", "-"),
                f"[bold green]{right}[/]" if result.accuracy == top else right,
                f"{result.updates // len(result.accuracies):,}",
                f"{result.invalid // len(result.accuracies):,}",
                f"[bold red]{share}[/]" if result.invalid else share,
                f"{result.seconds / len(result.accuracies):.1f}",
                end_section=i == len(rows) - 1,
            )
    console.print(table)
    error = 1 - float(np.mean([result.accuracy for result in results]))
    noise = 200 * math.sqrt(error * (1 - error) / words)
    click.echo(
        f"Means of {runs} runs; accuracy in per cent of {words:,} test words, "
        f"where differences below {noise:.1f} may be chance."
    )
