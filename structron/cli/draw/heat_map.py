"""The confusion matrix as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from structron.theory.plots import save

if TYPE_CHECKING:
    from structron.metrics import Report

MOST = 40  # labels; more than that nobody can read


def draw_matrix(found: Report, path: Path) -> list[Path]:
    """Write PATH as PNG and SVG: rows are gold labels, each cell the share of the row that went there."""
    import numpy as np
    from matplotlib.colors import PowerNorm
    from matplotlib.figure import Figure

    labels = found.confused()[:MOST]
    nothing = any("" in pair for pair in found.cells)
    names = [*labels, *([""] if nothing else [])]
    number = {label: i for i, label in enumerate(names)}
    counts = np.zeros((len(names), len(names)))
    for (gold, guess), times in found.cells.items():
        if gold in number and guess in number:
            counts[number[gold], number[guess]] = times
    sums = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, sums, out=np.zeros_like(counts), where=sums > 0)
    side = max(3.6, 0.36 * len(names) + 1.4)
    figure = Figure(figsize=(side + 0.8, side), layout="constrained")
    panel = figure.subplots()
    # The root makes rare mistakes visible beside a diagonal of nearly one.
    picture = panel.imshow(shares, cmap="Blues", norm=PowerNorm(0.5, 0.0, 1.0), interpolation="nearest")
    shown = [_plain(name) for name in names]
    panel.set_xticks(range(len(names)), shown, rotation=90, fontsize=8)
    panel.set_yticks(range(len(names)), shown, fontsize=8)
    panel.set_xlabel("guess")
    panel.set_ylabel("gold")
    for i, j in zip(*np.nonzero(counts)):
        if len(names) <= 25:
            colour = "white" if shares[i, j] > 0.35 else "black"
            panel.text(j, i, f"{int(counts[i, j])}", ha="center", va="center", fontsize=6, color=colour)
    left = len(found.labels) - len(labels)
    more = f"; {left} labels with fewer mistakes are left out" if left else ""
    panel.set_title(f"{found.measure} {100 * found.score:.2f}{more}", fontsize=9)
    figure.colorbar(picture, ax=panel, label="share of the gold label", shrink=0.8)
    return save(figure, path)


def _plain(name: str) -> str:
    """Escape the dollar signs of a label, which would begin a formula."""
    text = name.replace("$", r"\$") or "–"
    return text if len(text) <= 20 else text[:19] + "…"
