"""Figures 4 and 5 and Tables 1 and 2 of Huang, Fayong & Guo (2012), from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import matplotlib.pyplot as plt
from corpora import TAGGING
from report import LOOKS, Entry, cell, curve, fill, save, select, table

from huang2012.plan import CORPORA, MAIN, METHODS, WIDE, WIDTHS, beam

NEAR = 0.1  # points below the best that still count as having arrived


def title(corpus: str) -> str:
    return TAGGING[corpus][0]


def name(method: str) -> str:
    return str(LOOKS[method]["label"])


def at(entries: Sequence[Entry], corpus: str, method: str, width: int, merge: bool = True) -> list[Entry]:
    return select(entries, corpus=corpus, update=method, search=beam(width, merge))


def best_of(found: Sequence[Entry]) -> list[float]:
    return [entry["best_dev"] for entry in found]


def invalid_share(entry: Entry, epochs: int | None = None) -> float:
    """Return per cent of the updates of the first `epochs` epochs that fixed no violation."""
    updates = sum(entry["updates"][:epochs])
    return 100 * sum(entry["invalid"][:epochs]) / updates if updates else 0.0


def arrival(entry: Entry) -> int:
    """Return the first epoch whose dev score is within `NEAR` of the best."""
    return next(n for n, score in enumerate(entry["dev"], 1) if score >= entry["best_dev"] - NEAR)


def figure4(entries: Sequence[Entry], corpora: Sequence[str], stem: Path) -> None:
    """Draw the best held-out accuracy against beam width: the paper's curves, others, and no merging."""
    panels = [(MAIN, True, "as in Figure 4"), (METHODS, True, "all five methods")]
    if any(at(entries, corpus, "early", 1, merge=False) for corpus in corpora):
        panels.append((MAIN, False, "without merging"))
    figure, grid = plt.subplots(
        *(len(corpora), len(panels)),
        figsize=(3.7 * len(panels), 2.7 * len(corpora)),
        squeeze=False,
        sharey="row",
    )
    for row, corpus in zip(grid, corpora):
        for axes, (methods, merge, what) in zip(row, panels):
            for method in reversed(methods):
                points = {w: best_of(at(entries, corpus, method, w, merge)) for w in WIDTHS}
                curve(axes, points, LOOKS[method], WIDTHS)
            if not axes.has_data():
                axes.set_axis_off()
                continue
            baseline = best_of(select(entries, corpus=corpus, search=WIDE, update="standard"))
            if baseline:
                axes.axhline(fmean(baseline), color="#999999", linewidth=0.8, linestyle=":", zorder=0)
            axes.set_xticks(WIDTHS)
            axes.set_title(f"{title(corpus)}: {what}", fontsize=9)
            axes.set_xlabel("beam width")
        row[0].set_ylabel("best accuracy on held-out, %")
        handles, _ = row[0].get_legend_handles_labels()
        if handles:
            row[0].legend(frameon=False)
            row[1].legend(frameon=False)
    save(figure, stem)


def figure5(entries: Sequence[Entry], corpora: Sequence[str], stem: Path) -> None:
    """Draw the share of invalid updates of the standard method against beam width."""
    colours = dict(zip((*CORPORA, "synthetic"), ("#c1272d", "#0b6e99", "#7a9a01", "#8e5ea2", "#555555")))
    figure, axes = plt.subplots(figsize=(4.6, 3.0))
    for corpus in corpora:
        widths = [w for w in range(1, 17) if at(entries, corpus, "standard", w)]
        points = {w: [invalid_share(entry) for entry in at(entries, corpus, "standard", w)] for w in widths}
        curve(axes, points, {"label": title(corpus), "color": colours[corpus], "marker": "o"}, widths)
    axes.set_ylim(0, 100)
    axes.set_xlabel("beam width")
    axes.set_ylabel("% of invalid updates")
    axes.set_title("standard update, tagging", fontsize=9)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False)
    save(figure, stem)


def table_figure4(entries: Sequence[Entry], corpus: str) -> list[str]:
    rows = [["best dev accuracy, %", *(f"b = {w}" for w in WIDTHS)]]
    rows += [[name(m), *(cell(best_of(at(entries, corpus, m, w))) for w in WIDTHS)] for m in METHODS]
    bare = {m: [best_of(at(entries, corpus, m, w, merge=False)) for w in WIDTHS] for m in MAIN}
    rows += [[f"{name(m)}, no merging", *map(cell, found)] for m, found in bare.items() if any(found)]
    return table(rows)


def table1(entries: Sequence[Entry], corpus: str) -> list[str]:
    """Return epochs to the best dev score and until within `NEAR` of it, and the score, at three widths."""
    widths = (1, 2, 7)
    rows = [["method", *(f"b = {w}: {what}" for w in widths for what in ("it", "near", "dev"))]]
    for method in MAIN:
        row = [name(method)]
        for width in widths:
            found = at(entries, corpus, method, width)
            row += [
                f"{fmean(e['best_epoch'] for e in found):.1f}" if found else "–",
                f"{fmean(map(arrival, found)):.1f}" if found else "–",
                cell(best_of(found)),
            ]
        rows.append(row)
    return table(rows)


def table_speed(entries: Sequence[Entry], corpus: str) -> list[str]:
    """Return dev score after a few epochs: what learning faster means before the curves are flat."""
    moments = [(width, epoch) for width in (1, 2) for epoch in (1, 3, 10)]
    rows = [["dev after so many epochs", *(f"b = {width}: {epoch}" for width, epoch in moments)]]
    for method in METHODS:
        row = [name(method)]
        for width, epoch in moments:
            row.append(
                cell(
                    [
                        e["dev"][epoch - 1]
                        for e in at(entries, corpus, method, width)
                        if len(e["dev"]) >= epoch
                    ]
                )
            )
        rows.append(row)
    return table(rows)


def table2(entries: Sequence[Entry], corpus: str) -> list[str]:
    """Return every method at the width that is best for it on the dev part."""
    rows = [["method", "b", "it", "CPU s to best", "CPU s an epoch", "dev", "test"]]

    def row(label: str, width: str, found: Sequence[Entry]) -> list[str]:
        return [
            label,
            width,
            f"{fmean(e['best_epoch'] for e in found):.1f}",
            f"{fmean(e['cpu_to_best'] for e in found):.1f}",
            f"{fmean(fmean(e['cpu']) for e in found):.2f}",
            cell(best_of(found)),
            cell([e["test"] for e in found]),
        ]

    for search, width in (("exact", "∞"), (WIDE, "40")):
        found = select(entries, corpus=corpus, search=search, update="standard")
        if found:
            rows.append(row("standard (baseline)", width, found))
    for method in METHODS:
        by_width = {w: found for w in WIDTHS if (found := at(entries, corpus, method, w))}
        if by_width:
            width = max(by_width, key=lambda w: (fmean(best_of(by_width[w])), -w))
            rows.append(row(name(method), str(width), by_width[width]))
    return table(rows)


def table_figure5(entries: Sequence[Entry], corpora: Sequence[str]) -> list[str]:
    widths = sorted({w for w in range(1, 17) for corpus in corpora if at(entries, corpus, "standard", w)})
    rows = [["invalid updates of standard, %", *(f"b = {w}" for w in widths)]]
    for corpus in corpora:
        for label, epochs in (("all epochs", None), ("first epoch", 1)):
            found = [[invalid_share(e, epochs) for e in at(entries, corpus, "standard", w)] for w in widths]
            rows.append([f"{title(corpus)}, {label}", *(cell(values, 1) for values in found)])
    return table(rows)


def write(entries: Sequence[Entry], out: Path, corpora: Sequence[str] = CORPORA) -> None:
    """Write all tables into OUT/README.md and all pictures beside it."""
    blocks = {}
    for corpus in corpora:
        blocks[f"figure4 {corpus}"] = table_figure4(entries, corpus)
        blocks[f"table1 {corpus}"] = table1(entries, corpus)
        blocks[f"speed {corpus}"] = table_speed(entries, corpus)
        blocks[f"table2 {corpus}"] = table2(entries, corpus)
    blocks["figure5"] = table_figure5(entries, corpora)
    fill(out / "README.md", blocks)
    shown = [corpus for corpus in corpora if select(entries, corpus=corpus)]
    figure4(entries, shown, out / "figure4")
    figure5(entries, shown, out / "figure5")
