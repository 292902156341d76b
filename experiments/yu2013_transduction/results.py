"""Which update learns best when derivations are latent, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import matplotlib.pyplot as plt
from report import LOOKS, Entry, cell, curve, fill, save, select, table

from yu2013_transduction.plan import CORPORA, METHODS, WIDTHS


def at(entries: Sequence[Entry], corpus: str, method: str, width: int) -> list[Entry]:
    return select(entries, corpus=corpus, update=method, search=f"beam:{width}")


def invalid_share(entry: Entry) -> float:
    """Return the share of updates that were no violations, in per cent."""
    return 100 * sum(entry["invalid"]) / max(1, sum(entry["updates"]))


def accuracy(entries: Sequence[Entry], corpus: str) -> list[str]:
    """Return best word error rate on held-out words with its epoch, and that after the first epoch."""
    rows = [["WER on dev, % (epoch)", *(f"b = {width}" for width in WIDTHS)]]
    for method in METHODS:
        row = [LOOKS[method]["label"]]
        for width in WIDTHS:
            found = at(entries, corpus, method, width)
            epoch = fmean(entry["best_epoch"] for entry in found) if found else 0
            row.append(f"{cell([min(entry['dev_wer']) for entry in found])} ({epoch:.1f})" if found else "–")
        rows.append(row)
    return table(rows)


def invalid(entries: Sequence[Entry], corpora: Sequence[str]) -> list[str]:
    """Return the share of invalid updates over all epochs."""
    rows = [["invalid updates, %", "method", *(f"b = {width}" for width in WIDTHS)]]
    for corpus in corpora:
        for method in METHODS:
            row = [corpus.partition(":")[2] or corpus, LOOKS[method]["label"]]
            for width in WIDTHS:
                found = at(entries, corpus, method, width)
                row.append(cell([invalid_share(entry) for entry in found], 1))
            rows.append(row)
    return table(rows)


def epochs_curve(entries: Sequence[Entry], corpora: Sequence[str], stem: Path) -> None:
    """Draw the word error rate after every epoch, one panel per beam width."""
    figure, grid = plt.subplots(
        len(corpora), len(WIDTHS), figsize=(3.2 * len(WIDTHS), 2.8 * len(corpora)), squeeze=False
    )
    for axes_row, corpus in zip(grid, corpora):
        for axes, width in zip(axes_row, WIDTHS):
            for method in METHODS:
                found = at(entries, corpus, method, width)
                points = {n: list(wers) for n, wers in enumerate(zip(*(e["dev_wer"] for e in found)), 1)}
                if points:
                    curve(axes, points, LOOKS[method], sorted(points))
            axes.set_title(f"{corpus.partition(':')[2] or corpus}, b = {width}", fontsize=9)
            axes.set_xlabel("epoch")
        axes_row[0].set_ylabel("dev WER, %")
    if grid[0][0].get_legend_handles_labels()[0]:
        grid[0][0].legend(frameon=False, fontsize=7)
    save(figure, stem)


def write(entries: Sequence[Entry], out: Path, corpora: Sequence[str] = CORPORA) -> None:
    """Write all tables into OUT/README.md and the picture beside it."""
    blocks = {f"wer {corpus.partition(':')[2] or corpus}": accuracy(entries, corpus) for corpus in corpora}
    blocks["invalid"] = invalid(entries, corpora)
    fill(out / "README.md", blocks)
    epochs_curve(entries, [corpus for corpus in corpora if select(entries, corpus=corpus)], out / "epochs")
