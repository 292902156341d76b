"""Table 3, the parsing curve of Figure 5, and Figure 6 of Huang, Fayong & Guo (2012), from the record."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from statistics import fmean

import matplotlib.pyplot as plt
from corpora import PARSING
from huang2012.parsing.plan import (
    CORPORA,
    METHODS,
    OTHER_WIDTHS,
    PAPER_CORPUS,
    PAPER_METHODS,
    PAPER_SEARCH,
    WIDTH,
    beam,
)
from report import LOOKS, Entry, cell, fill, save, select, table

WIDTHS = sorted({*OTHER_WIDTHS, WIDTH})


def title(corpus: str) -> str:
    return PARSING[corpus][0]


def seeds(entries: Sequence[Entry], corpus: str, method: str, search: str = beam(WIDTH)) -> list[Entry]:
    """Return the runs of a method, one for each seed."""
    return select(entries, corpus=corpus, update=method, search=search)


def one(entries: Sequence[Entry], corpus: str, method: str, width: int = WIDTH) -> Entry | None:
    """Return the mean curve of a method over its seeds, if it was run; updates are summed."""
    return mean_curve(seeds(entries, corpus, method, beam(width)))


def mean_curve(found: Sequence[Entry]) -> Entry | None:
    """Return dev scores and times of each epoch as means, and sums of updates."""
    if not found:
        return None
    dev = [fmean(each) for each in zip(*(entry["dev"] for entry in found))]
    return {
        "dev": dev,
        "best_epoch": dev.index(max(dev)) + 1,
        "best_dev": max(dev),
        "cpu": [fmean(each) for each in zip(*(entry["cpu"] for entry in found))],
        "updates": [sum(each) for each in zip(*(entry["updates"] for entry in found))],
        "invalid": [sum(each) for each in zip(*(entry["invalid"] for entry in found))],
    }


def invalid_share(entry: Entry, epochs: int | None = None) -> float:
    """Return per cent of the updates of the first `epochs` epochs that fixed no violation."""
    updates = sum(entry["updates"][:epochs])
    return 100 * sum(entry["invalid"][:epochs]) / updates if updates else 0.0


def reached(entry: Entry, score: float) -> int | None:
    """Return the first epoch whose dev score is at least `score`."""
    return next((n for n, dev in enumerate(entry["dev"], 1) if dev >= score), None)


def table3(
    entries: Sequence[Entry], corpus: str, search: str = beam(WIDTH), methods: Sequence[str] = METHODS
) -> list[str]:
    """Return every method with the same search: epochs and time to its best, dev and test."""
    rows = [["method", "epochs", "CPU s", "CPU s an epoch", "dev UAS", "test UAS", "invalid updates"]]
    for method in methods:
        found = seeds(entries, corpus, method, search)
        if not found:
            continue
        rows.append(
            [
                LOOKS[method]["label"],
                cell([entry["best_epoch"] for entry in found], 1),
                cell([entry["cpu_to_best"] for entry in found], 0),
                cell([fmean(entry["cpu"]) for entry in found], 1),
                cell([entry["best_dev"] for entry in found]),
                cell([entry["test"] for entry in found]),
                f"{fmean(map(invalid_share, found)):.1f} %",
            ]
        )
    return table(rows) if len(rows) > 1 else ["Not measured yet."]


def table_race(entries: Sequence[Entry], corpus: str) -> list[str]:
    """Return what each method needs to reach early's dev scores after some epochs, and its best."""
    early = one(entries, corpus, "early")
    if early is None:
        return ["Not measured yet."]
    goals = {
        f"early's {n} epochs": max(early["dev"][:n]) for n in (2, 3, 5, 10, 15) if n < early["best_epoch"]
    }
    goals["early's best"] = early["best_dev"]
    rows = [["CPU s (epochs) to the dev UAS of", *(f"{name}, {score:.2f}" for name, score in goals.items())]]
    for method in ("early", "max_violation", "hybrid", "latest"):
        entry = one(entries, corpus, method)
        if entry is None:
            continue
        cells = []
        for score in goals.values():
            epoch = reached(entry, score)
            spent = sum(entry["cpu"][:epoch]) if epoch else 0.0
            cells.append(f"{spent:.1f} ({epoch})" if epoch else f"not in {len(entry['dev'])} epochs")
        rows.append([LOOKS[method]["label"], *cells])
    return table(rows)


def table_epochs(
    entries: Sequence[Entry], corpus: str, search: str = beam(WIDTH), methods: Sequence[str] = METHODS
) -> list[str]:
    """Return dev scores after a few epochs."""
    longest = max((len(e["dev"]) for e in select(entries, corpus=corpus, search=search)), default=0)
    moments = [n for n in (1, 2, 3, 5, 10, 15, 20, 30) if n <= longest]
    rows = [["dev UAS after so many epochs", *map(str, moments)]]
    for method in methods:
        found = seeds(entries, corpus, method, search)
        if found:
            scores = [cell([e["dev"][n - 1] for e in found if len(e["dev"]) >= n]) for n in moments]
            rows.append([LOOKS[method]["label"], *scores])
    return table(rows)


def table_figure5(entries: Sequence[Entry], corpora: Sequence[str]) -> list[str]:
    rows = [["standard update", *(f"b = {width}" for width in WIDTHS)]]
    for corpus in corpora:
        found = [seeds(entries, corpus, "standard", beam(width)) for width in WIDTHS]
        shares = [cell([invalid_share(e, 3) for e in each], 1) for each in found]
        scores = [cell([max(e["dev"][:3]) for e in each]) for each in found]
        rows.append([f"{title(corpus)}: invalid updates, %", *shares])
        rows.append([f"{title(corpus)}: best dev UAS of 3 epochs", *scores])
    return table(rows)


def figure5(entries: Sequence[Entry], corpora: Sequence[str], stem: Path) -> None:
    """Draw the share of invalid updates of the standard method against beam width."""
    figure, axes = plt.subplots(figsize=(4.6, 3.0))
    for corpus, colour in zip(corpora, ("#c1272d", "#0b6e99", "#555555")):
        found = [(width, one(entries, corpus, "standard", width)) for width in WIDTHS]
        points = [(width, invalid_share(entry, 3)) for width, entry in found if entry is not None]
        if points:
            axes.plot(*zip(*points), label=title(corpus), color=colour, marker="o", linewidth=1.5)
    axes.set_ylim(0, 100)
    axes.set_xlabel("beam width")
    axes.set_ylabel("% of invalid updates")
    axes.set_title("standard update, parsing, three epochs", fontsize=9)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False)
    save(figure, stem)


def figure6(entries: Sequence[Entry], corpora: Sequence[str], stem: Path) -> None:
    """Draw dev accuracy against training time; standard falls far below the picture."""
    figure, grid = plt.subplots(1, len(corpora), figsize=(4.6 * len(corpora), 3.2), squeeze=False)
    for axes, corpus in zip(grid[0], corpora):
        scores: list[float] = []
        for method in ("latest", "hybrid", "early", "max_violation"):
            entry = one(entries, corpus, method)
            if entry is not None:
                axes.plot(
                    list(accumulate(entry["cpu"])), entry["dev"], linewidth=1.5, markersize=4, **LOOKS[method]
                )
                scores += entry["dev"][1:]
        axes.set_title(f"{title(corpus)}, b = {WIDTH}", fontsize=9)
        axes.set_xlabel("training time, CPU s")
        axes.set_ylabel("UAS on held-out, %")
        if scores:
            axes.set_ylim(min(scores) - 0.2, max(scores) + 0.2)
            axes.legend(frameon=False)
    save(figure, stem)


def write(entries: Sequence[Entry], out: Path, corpora: Sequence[str] = CORPORA) -> None:
    """Write all tables into OUT/README.md and all pictures beside it."""
    blocks = {}
    for corpus in corpora:
        blocks[f"table3 {corpus}"] = table3(entries, corpus)
        blocks[f"race {corpus}"] = table_race(entries, corpus)
        blocks[f"epochs {corpus}"] = table_epochs(entries, corpus)
    blocks["figure5 parsing"] = table_figure5(entries, corpora)
    if select(entries, corpus=PAPER_CORPUS):
        blocks["merging"] = table3(entries, PAPER_CORPUS, PAPER_SEARCH, PAPER_METHODS)
        blocks["merging epochs"] = table_epochs(entries, PAPER_CORPUS, PAPER_SEARCH, PAPER_METHODS)
    fill(out / "README.md", blocks)
    shown = [corpus for corpus in corpora if select(entries, corpus=corpus)] or list(corpora)
    figure5(entries, shown, out / "figure5")
    figure6(entries, shown, out / "figure6")
