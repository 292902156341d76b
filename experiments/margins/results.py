"""Margins of plain, averaged and large-margin weights, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from report import Entry, cell, fill, select, table

from margins.plan import EPOCHS, LEARNERS

WHAT = {
    "least margin": ("least", 3),
    "median margin": ("median", 3),
    "sentences separated, %": ("separated", 1),
    "accuracy on dev, %": ("test", 2),
}


def table_of(entries: Sequence[Entry], name: str, decimals: int) -> list[str]:
    """Return one figure: a row for each learner, a column for each length of training."""
    rows = [["learner", *(f"{epochs} epochs" if epochs > 1 else "1 epoch" for epochs in EPOCHS)]]
    for title, learner in LEARNERS.items():
        found = (select(entries, learner=learner, epochs=epochs) for epochs in EPOCHS)
        rows.append([title, *(cell([entry[name] for entry in each], decimals) for each in found)])
    return table(rows)


def write(entries: Sequence[Entry], out: Path) -> None:
    """Write a table for each figure into OUT/README.md."""
    fill(
        out / "README.md",
        {title: table_of(entries, name, decimals) for title, (name, decimals) in WHAT.items()},
    )
