"""Table 3, the parsing curve of Figure 5, and Figure 6 of Huang, Fayong & Guo (2012), from the record."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

import matplotlib.pyplot as plt
from corpora import PARSING
from huang2012.parsing.plan import CORPORA, METHODS, OTHER_WIDTHS, WIDTH, beam
from report import LOOKS, Entry, fill, save, select, table

WIDTHS = sorted({*OTHER_WIDTHS, WIDTH})


def title(corpus: str) -> str:
    return PARSING[corpus][0]


def one(entries: Sequence[Entry], corpus: str, method: str, width: int = WIDTH) -> Entry | None:
    """Return the run of a method, if it was made."""
    found = select(entries, corpus=corpus, update=method, search=beam(width))
    return found[0] if found else None


def invalid_share(entry: Entry, epochs: int | None = None) -> float:
    """Return per cent of the updates of the first `epochs` epochs that fixed no violation."""
    updates = sum(entry["updates"][:epochs])
    return 100 * sum(entry["invalid"][:epochs]) / updates if updates else 0.0


def reached(entry: Entry, score: float) -> int | None:
    """Return the first epoch whose dev score is at least `score`."""
    return next((n for n, dev in enumerate(entry["dev"], 1) if dev >= score), None)


def table3(entries: Sequence[Entry], corpus: str) -> list[str]:
    """Return every method at the same width: epochs and time to its best, dev and test."""
    rows = [["method", "b", "epochs", "CPU s", "CPU s an epoch", "dev UAS", "test UAS", "invalid updates"]]
    for method in METHODS:
        entry = one(entries, corpus, method)
        if entry is None:
            continue
        rows.append(
            [
                LOOKS[method]["label"],
                str(WIDTH),
                str(entry["best_epoch"]),
                f"{entry['cpu_to_best']:.0f}",
                f"{sum(entry['cpu']) / len(entry['cpu']):.1f}",
                f"{entry['best_dev']:.2f}",
                f"{entry['test']:.2f}",
                f"{invalid_share(entry):.1f} %",
            ]
        )
    return table(rows)


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


def table_epochs(entries: Sequence[Entry], corpus: str) -> list[str]:
    """Return dev scores after a few epochs."""
    longest = max((len(e["dev"]) for e in select(entries, corpus=corpus, search=beam(WIDTH))), default=0)
    moments = [n for n in (1, 2, 3, 5, 10, 15, 20, 30) if n <= longest]
    rows = [["dev UAS after so many epochs", *map(str, moments)]]
    for method in METHODS:
        entry = one(entries, corpus, method)
        if entry is not None:
            scores = [f"{entry['dev'][n - 1]:.2f}" if n <= len(entry["dev"]) else "–" for n in moments]
            rows.append([LOOKS[method]["label"], *scores])
    return table(rows)


def table_figure5(entries: Sequence[Entry], corpora: Sequence[str]) -> list[str]:
    rows = [["standard update", *(f"b = {width}" for width in WIDTHS)]]
    for corpus in corpora:
        found = [one(entries, corpus, "standard", width) for width in WIDTHS]
        shares = ["–" if e is None else f"{invalid_share(e, 3):.1f}" for e in found]
        scores = ["–" if e is None else f"{max(e['dev'][:3]):.2f}" for e in found]
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
    fill(out / "README.md", blocks)
    shown = [corpus for corpus in corpora if select(entries, corpus=corpus)] or list(corpora)
    figure5(entries, shown, out / "figure5")
    figure6(entries, shown, out / "figure6")
