"""Update methods of semantic parsing, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
from report import LOOKS, Entry, cell, curve, fill, save, select, table

from geoquery.plan import CHOICES, EXACT, METHODS, PRUNED


def table_methods(entries: Sequence[Entry], search: str) -> list[str]:
    """Return every method and learner at one width: exact match on dev, mean and standard error."""
    heads = [
        "dev exact match, %",
        "of the last epoch",
        "epochs to it",
        "CPU s an epoch",
        "invalid updates, %",
    ]
    rows = [["method, learner", *heads]]
    for width, method, learner in CHOICES:
        found = select(entries, search=search, update=method, learner=learner)
        if width != search or not found:
            continue
        invalid = [100 * sum(entry["invalid"]) / max(1, sum(entry["updates"])) for entry in found]
        rows.append(
            [
                f"{LOOKS[method]['label']}, {learner}",
                cell([entry["best_dev"] for entry in found]),
                cell([entry["dev"][-1] for entry in found]),
                cell([entry["best_epoch"] for entry in found], 1),
                cell([sum(entry["cpu"]) / len(entry["cpu"]) for entry in found], 1),
                cell(invalid, 1),
            ]
        )
    return table(rows) if len(rows) > 1 else ["Not measured yet."]


def table_cost(entries: Sequence[Entry]) -> list[str]:
    """Return what all of it took."""
    spent = sum(entry["cpu_with_dev"] for entry in entries)
    return [f"{len(entries)} trainings in {spent / 60:.1f} minutes of CPU time."]


def picture(entries: Sequence[Entry], stem: Path) -> None:
    """Draw exact match on dev after each epoch with the perceptron and pruning."""
    figure, axes = plt.subplots(figsize=(4.2, 3))
    for method in METHODS:
        found = select(entries, search=PRUNED, update=method, learner="perceptron")
        if found:
            length = range(len(found[0]["dev"]))
            points = {n + 1.0: [entry["dev"][n] for entry in found] for n in length}
            curve(axes, points, LOOKS[method], sorted(points))
    axes.set_xlabel("epoch")
    axes.set_ylabel("exact match on dev, %")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, fontsize=7)
    save(figure, stem)


def write(entries: Sequence[Entry], out: Path) -> None:
    """Write all tables into OUT/README.md and the picture beside it."""
    blocks = {f"methods {search}": table_methods(entries, search) for search in (PRUNED, EXACT)}
    fill(out / "README.md", blocks | {"cost": table_cost(entries)})
    picture(entries, out / "epochs")
