"""Numbers of the record as Markdown tables inside a README, and as pictures."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

Entry = dict[str, Any]

# One look for one method in every picture; the colours can be told apart in grey too.
LOOKS: dict[str, dict[str, Any]] = {
    "max_violation": {"label": "max-violation", "color": "#c1272d", "marker": "o"},
    "early": {"label": "early", "color": "#0b6e99", "marker": "s"},
    "standard": {"label": "standard", "color": "#555555", "marker": "^"},
    "hybrid": {"label": "hybrid", "color": "#7a9a01", "marker": "D"},
    "latest": {"label": "latest", "color": "#8e5ea2", "marker": "v"},
    "skip": {"label": "skip", "color": "#b8860b", "marker": "<"},
    "parallel": {"label": "parallel", "color": "#e36bae", "marker": "P"},
}

plt.rcParams.update(
    {"svg.hashsalt": "structron", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
)


def select(entries: Iterable[Entry], **wanted: Any) -> list[Entry]:
    """Return the entries whose run has these settings."""
    return [entry for entry in entries if all(entry["run"][key] == value for key, value in wanted.items())]


def mean_error(values: Sequence[float]) -> tuple[float, float]:
    """Return mean, and its standard error over seeds (0 for a single one)."""
    if len(values) < 2:
        return (values[0] if values else math.nan), 0.0
    return fmean(values), stdev(values) / math.sqrt(len(values))


def cell(values: Sequence[float], decimals: int = 2) -> str:
    """Return a mean with its standard error where there are several values."""
    if not values:
        return "–"
    mean, error = mean_error(values)
    return f"{mean:.{decimals}f}" + (f" ± {error:.{decimals}f}" if len(values) > 1 else "")


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as Markdown, the first one as heading, padded so that it reads well in a terminal too."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for n, row in enumerate(rows):
        cells = [text.ljust(w) if i == 0 else text.rjust(w) for i, (text, w) in enumerate(zip(row, widths))]
        lines.append("| " + " | ".join(cells) + " |")
        if n == 0:
            rules = ["-" * (w + 2) if i == 0 else "-" * (w + 1) + ":" for i, w in enumerate(widths)]
            lines.append("|" + "|".join(rules) + "|")
    return lines


def fill(readme: Path, blocks: dict[str, list[str]]) -> None:
    """Put each table between its marks ``<!-- name -->`` and ``<!-- /name -->``, or at the end."""
    text = readme.read_text(encoding="utf-8") if readme.is_file() else ""
    for name, lines in blocks.items():
        block = "\n".join([f"<!-- {name} -->", "", *lines, "", f"<!-- /{name} -->"])
        pattern = re.compile(rf"<!-- {re.escape(name)} -->.*?<!-- /{re.escape(name)} -->", re.DOTALL)
        if pattern.search(text):
            # A function, since backslashes in a replacement string would be read as escapes.
            text = pattern.sub(lambda _, block=block: block, text)  # type: ignore[misc]
        else:
            text = f"{text}\n{block}\n" if text else f"{block}\n"
    readme.parent.mkdir(parents=True, exist_ok=True)
    readme.write_text(text, encoding="utf-8")


def curve(
    axes: Axes, points: dict[float, Sequence[float]], look: dict[str, Any], positions: Sequence[float]
) -> None:
    """Draw means with bars of one standard error; `positions` are the places of the sorted abscissas."""
    known = [(x, points[x]) for x in sorted(points) if points[x]]
    if not known:
        return
    where = dict(zip(sorted(points), positions))
    summary = [mean_error(values) for _, values in known]
    axes.errorbar(
        [where[x] for x, _ in known],
        [mean for mean, _ in summary],
        yerr=[error for _, error in summary],
        linewidth=1.5,
        markersize=4,
        capsize=2,
        **look,
    )


def save(figure: Figure, stem: Path) -> None:
    """Write STEM.png and STEM.svg; the same data give the same bytes."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(stem.with_suffix(".png"), dpi=130, metadata={"Software": None})
    figure.savefig(stem.with_suffix(".svg"), metadata={"Date": None})
    plt.close(figure)
