"""Averaging, cut-off and search as in Collins (2002), from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import matplotlib.pyplot as plt
from corpora import TAGGING
from report import Entry, cell, curve, fill, save, select, table

from collins2002.plan import CORPORA, CUTS, SEARCHES

NAMES = {
    "exact": "exact, standard",
    "beam:10+merge": "beam 10, standard",
    "beam:4+merge": "beam 4, max-violation",
}
COLOURS = {"exact": "#555555", "beam:10+merge": "#0b6e99", "beam:4+merge": "#c1272d"}


def title(corpus: str) -> str:
    return "CoNLL-2000 noun phrases" if corpus == "np" else TAGGING[corpus][0]


def at(entries: Sequence[Entry], corpus: str, search: str, averaged: bool, cut: int) -> list[Entry]:
    return select(entries, corpus=corpus, search=search, averaged=averaged, cut=cut)


def less_error(plain: Sequence[Entry], averaged: Sequence[Entry], key: str) -> str:
    """Return how much of the error of plain weights averaging takes away, in per cent."""
    if not plain or not averaged:
        return "–"
    before = 100 - fmean(entry[key] for entry in plain)
    after = 100 - fmean(entry[key] for entry in averaged)
    return f"{100 * (before - after) / before:.1f}" if before else "–"


def averaging(entries: Sequence[Entry], corpus: str) -> list[str]:
    """Return a row for each search and cut-off: plain and averaged weights, each with its epochs."""
    what = "F1" if corpus == "np" else "acc."
    heads = [
        "plain it",
        f"plain dev {what}",
        f"plain test {what}",
        "avg. it",
        f"avg. dev {what}",
        f"avg. test {what}",
    ]
    rows = [["search, update", "cut", *heads, "less error, dev %", "test %"]]
    for search, _ in SEARCHES:
        for cut in CUTS:
            plain, averaged = (at(entries, corpus, search, kind, cut) for kind in (False, True))
            if not plain and not averaged:
                continue
            row = [NAMES[search], str(cut)]
            for found in (plain, averaged):
                row += [
                    f"{fmean(e['best_epoch'] for e in found):.1f}" if found else "–",
                    cell([e["best_dev"] for e in found]),
                    cell([e["test"] for e in found]),
                ]
            rows.append([*row, less_error(plain, averaged, "best_dev"), less_error(plain, averaged, "test")])
    return table(rows)


def searching(entries: Sequence[Entry], corpora: Sequence[str]) -> list[str]:
    """Return exact against beam, averaged and without cut-off: quality and CPU time."""
    rows = [["corpus", "search, update", "it", "CPU s an epoch", "dev", "test"]]
    for corpus in corpora:
        for search, _ in SEARCHES:
            found = at(entries, corpus, search, True, 0)
            if found:
                rows.append(
                    [
                        title(corpus),
                        NAMES[search],
                        f"{fmean(e['best_epoch'] for e in found):.1f}",
                        f"{fmean(fmean(e['cpu']) for e in found):.2f}",
                        cell([e["best_dev"] for e in found]),
                        cell([e["test"] for e in found]),
                    ]
                )
    return table(rows)


def epochs_curve(entries: Sequence[Entry], corpora: Sequence[str], stem: Path) -> None:
    """Draw the dev score after every epoch: averaged weights as full lines, plain ones dashed."""
    figure, grid = plt.subplots(1, len(corpora), figsize=(3.6 * len(corpora), 3.0), squeeze=False)
    for axes, corpus in zip(grid[0], corpora):
        for search, _ in SEARCHES:
            for averaged in (True, False):
                found = at(entries, corpus, search, averaged, 0)
                if found:
                    count = min(len(entry["dev"]) for entry in found)
                    points = {n + 1: [entry["dev"][n] for entry in found] for n in range(count)}
                    label = f"{NAMES[search]}, {'averaged' if averaged else 'plain'}"
                    look = {"label": label, "color": COLOURS[search], "linestyle": "-" if averaged else "--"}
                    curve(axes, points, look, sorted(points))
        axes.set_title(title(corpus), fontsize=9)
        axes.set_xlabel("epoch")
    grid[0][0].set_ylabel("dev score, %")
    if grid[0][0].get_legend_handles_labels()[0]:
        grid[0][0].legend(frameon=False, fontsize=6.5)
    save(figure, stem)


def write(entries: Sequence[Entry], out: Path, corpora: Sequence[str] = CORPORA) -> None:
    """Write all tables into OUT/README.md and the picture beside it."""
    blocks = {f"averaging {corpus}": averaging(entries, corpus) for corpus in corpora}
    blocks["search"] = searching(entries, corpora)
    fill(out / "README.md", blocks)
    epochs_curve(entries, [corpus for corpus in corpora if select(entries, corpus=corpus)], out / "epochs")
