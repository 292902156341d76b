"""Update methods with cube pruning, as Zhang, Huang, Zhao & McDonald (2013) compare them, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import matplotlib.pyplot as plt
from graphs import share, title
from report import LOOKS, Entry, cell, fill, save, select, table

from zhang2013.plan import CORPORA, METHODS, WIDTHS

PUBLISHED = (
    "Published for the Penn Treebank, with features of third order and a wider search: UAS 93.50, LAS 92.41."
)


def seeds(entries: Sequence[Entry], corpus: str, method: str, width: int) -> list[Entry]:
    """Return the runs of a method, one for each seed."""
    return select(entries, corpus=corpus, update=method, width=width)


def one(entries: Sequence[Entry], corpus: str, method: str, width: int) -> Entry | None:
    """Return the run of a method from the first seed, if it was made."""
    return next(iter(seeds(entries, corpus, method, width)), None)


def invalid_share(entry: Entry) -> float:
    """Return per cent of the updates that fixed no violation."""
    return share(sum(entry["invalid"]), sum(entry["updates"]))


def below_share(entry: Entry) -> float:
    """Return per cent of the updates that were made below the goal, on a part of the tree."""
    return share(sum(entry["below"]), sum(entry["updates"]))


def table_methods(entries: Sequence[Entry], corpus: str, width: int) -> list[str]:
    """Return one width: every method with its updates and what it reaches on the dev part."""
    heads = [
        "dev UAS",
        "dev LAS",
        "epochs to it",
        "CPU s an epoch",
        "invalid updates",
        "updates below the goal",
    ]
    rows = [["method", *heads]]
    for method in METHODS:
        found = seeds(entries, corpus, method, width)
        if not found:
            continue
        rows.append(
            [
                LOOKS[method]["label"],
                cell([entry["uas"] for entry in found]),
                cell([entry["las"] for entry in found]),
                cell([entry["best_epoch"] for entry in found], 1 if len(found) > 1 else 0),
                f"{fmean(sum(entry['cpu']) / len(entry['cpu']) for entry in found):.1f}",
                f"{fmean(map(invalid_share, found)):.1f} %",
                f"{fmean(map(below_share, found)):.1f} %",
            ]
        )
    return table(rows) if len(rows) > 1 else ["Not measured yet."]


def table_gaps(entries: Sequence[Entry], corpora: Sequence[str]) -> list[str]:
    """Return the LAS of each method minus that of the standard update, pair by pair of seeds."""
    settings = [(corpus, width) for corpus in corpora for width in WIDTHS]
    rows = [["LAS − standard", *(f"{title(corpus)}, {width}" for corpus, width in settings)]]
    for method in METHODS[1:]:
        cells = []
        for corpus, width in settings:
            standard = {e["run"]["seed"]: e["las"] for e in seeds(entries, corpus, "standard", width)}
            both = [e for e in seeds(entries, corpus, method, width) if e["run"]["seed"] in standard]
            cells.append(cell([e["las"] - standard[e["run"]["seed"]] for e in both]))
        rows.append([LOOKS[method]["label"], *cells])
    return table(rows)


def table_cost(entries: Sequence[Entry]) -> list[str]:
    """Return what all of it took."""
    spent = sum(entry["cpu_with_dev"] for entry in entries)
    return [f"{len(entries)} trainings in {spent / 60:.1f} minutes of CPU time. {PUBLISHED}"]


def picture(entries: Sequence[Entry], corpora: Sequence[str], stem: Path) -> None:
    """Draw dev LAS after each epoch, a panel for each treebank and width."""
    figure, grid = plt.subplots(
        len(corpora), len(WIDTHS), figsize=(3.4 * len(WIDTHS), 2.8 * len(corpora)), squeeze=False
    )
    for line, corpus in zip(grid, corpora):
        for axes, width in zip(line, WIDTHS):
            for method in METHODS:
                found = seeds(entries, corpus, method, width)
                if found:
                    means = [fmean(each) for each in zip(*(entry["dev"] for entry in found))]
                    epochs = range(1, len(means) + 1)
                    axes.plot(epochs, means, linewidth=1.3, markersize=3, **LOOKS[method])
            axes.set_title(f"{title(corpus)}, {width} a node", fontsize=8)
            axes.set_xlabel("epoch")
        line[0].set_ylabel("LAS on dev, %")
    if grid[0][0].get_legend_handles_labels()[0]:
        grid[0][0].legend(frameon=False, fontsize=7)
    save(figure, stem)


def write(entries: Sequence[Entry], out: Path, corpora: Sequence[str] = CORPORA) -> None:
    """Write all tables into OUT/README.md and the picture beside it."""
    blocks = {
        f"methods {corpus} {width}": table_methods(entries, corpus, width)
        for corpus in corpora
        for width in WIDTHS
        if select(entries, corpus=corpus, width=width)
    }
    blocks["gaps"] = table_gaps(entries, corpora)
    blocks["cost"] = table_cost(entries)
    fill(out / "README.md", blocks)
    picture(
        entries, [corpus for corpus in corpora if select(entries, corpus=corpus)] or corpora, out / "epochs"
    )
