"""Search quality, time and size of the forest with and without dynamic programming, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from report import LOOKS, Entry, fill, save, select, table

NAMES = {"beam": "without DP", "dp": "with DP"}
DRAWN: dict[str, dict[str, Any]] = {
    "beam": {"label": NAMES["beam"], "color": "#0b6e99", "marker": "s"},
    "dp": {"label": NAMES["dp"], "color": "#c1272d", "marker": "o"},
}
LENGTHS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 200))


def searched(entries: Sequence[Entry]) -> Entry | None:
    """Return the run whose weights were decoded with every beam."""
    found = select(entries, searches=True)
    return found[0] if found else None


def widths(entry: Entry) -> list[int]:
    return [int(name.split(":")[1]) for name in entry["decoded"] if name.startswith("dp:")]


def table_search(entry: Entry | None) -> list[str]:
    """Return both beams at every width."""
    if entry is None:
        return ["Not measured yet."]
    decoded = entry["decoded"]
    columns = [f"{name}: {what}" for what in ("score", "UAS", "ms") for name in NAMES.values()]
    rows = [["b", *columns, "DP finds more, %", "less, %", "derivations (median)"]]
    for width in widths(entry):
        both = [decoded[f"{kind}:{width}"] for kind in NAMES]
        rows.append(
            [
                str(width),
                *(f"{each['score']:.2f}" for each in both),
                *(f"{each['uas']:.2f}" for each in both),
                *(f"{each['ms']:.2f}" for each in both),
                f"{both[1]['better']:.1f}",
                f"{both[1]['worse']:.1f}",
                number(both[1]["derivations"]),
            ]
        )
    return table(rows)


def number(value: float) -> str:
    return f"{value:.0f}" if value < 10_000 else f"{value:.1e}"


def table_equal(entry: Entry | None) -> list[str]:
    """Return, for each width with dynamic programming, the least width without it that finds as much."""
    if entry is None:
        return ["Not measured yet."]
    decoded = entry["decoded"]
    rows = [["b with DP", "mean score", "ms", "b without DP for as much", "ms", "times as long"]]
    for width in widths(entry):
        ours = decoded[f"dp:{width}"]
        enough = next((b for b in widths(entry) if decoded[f"beam:{b}"]["score"] >= ours["score"]), None)
        cells = [str(width), f"{ours['score']:.2f}", f"{ours['ms']:.2f}"]
        if enough is None:
            rows.append([*cells, f"more than {widths(entry)[-1]}", "–", "–"])
        else:
            theirs = decoded[f"beam:{enough}"]["ms"]
            rows.append([*cells, str(enough), f"{theirs:.2f}", f"{theirs / ours['ms']:.1f}"])
    return table(rows)


def table_forest(entry: Entry | None) -> list[str]:
    """Return derivations in the beams by the length of the sentence, as powers of ten."""
    if entry is None:
        return ["Not measured yet."]
    rows = [["words", "sentences", *(f"b = {width}" for width in widths(entry))]]
    for first, last in LENGTHS:
        cells, sentences = [], 0
        for width in widths(entry):
            found = [(n, log) for length, n, log in forest(entry, width) if first <= length <= last]
            sentences = sum(n for n, _ in found)
            if sentences:
                cells.append(f"10^{sum(n * log for n, log in found) / sentences:.1f}")
        if cells:
            rows.append([f"{first} to {last}", str(sentences), *cells])
    return table(rows)


def forest(entry: Entry, width: int) -> list[tuple[int, int, float]]:
    """Return length, how many sentences have it, and the mean of log10 of the derivations that they have."""
    return [(length, n, log) for length, n, log in entry["decoded"][f"dp:{width}"]["forest"]]


def table_training(entries: Sequence[Entry]) -> list[str]:
    """Return both beams in training."""
    rows = [
        [
            "update",
            "beam",
            "dev UAS",
            "epoch",
            "test UAS",
            "CPU s an epoch",
            "on prefixes, %",
            "last epoch, %",
        ]
    ]
    order = ["early", "max_violation"]
    # One of these runs is decoded too, and stands in both lists of the plan.
    found = {(order.index(e["run"]["update"]), e["run"]["search"]): e for e in entries}
    for _, entry in sorted(found.items(), key=lambda each: each[0]):
        shares = [100 * part / all_ for part, all_ in zip(entry["prefixes"], entry["updates"]) if all_]
        rows.append(
            [
                LOOKS[entry["run"]["update"]]["label"],
                NAMES[entry["run"]["search"].split(":")[0]],
                f"{entry['best_dev']:.2f}",
                str(entry["best_epoch"]),
                f"{entry['test']:.2f}",
                f"{fmean(entry['cpu']):.1f}",
                f"{shares[0]:.0f}",
                f"{shares[-1]:.0f}",
            ]
        )
    return table(rows)


def draw_against_time(axes: Axes, entry: Entry, what: str, title: str) -> None:
    shown = [width for width in widths(entry) if width > 1]  # greedy is far below
    for kind, look in DRAWN.items():
        found = [entry["decoded"][f"{kind}:{width}"] for width in shown]
        axes.plot([f["ms"] for f in found], [f[what] for f in found], linewidth=1.5, markersize=4, **look)
        for width, each in zip(shown, found):
            axes.annotate(
                str(width),
                (each["ms"], each[what]),
                textcoords="offset points",
                xytext=(-3, 6) if kind == "dp" else (1, -11),
                fontsize=6,
                color=look["color"],
            )
    axes.set_xscale("log")
    axes.set_xlabel("CPU ms a sentence")
    axes.set_ylabel(title)
    axes.legend(frameon=False, loc="lower right")


def figure(entry: Entry, stem: Path) -> None:
    """Search quality and accuracy against time, and the size of the forest against length."""
    drawn, (quality, accuracy, size) = plt.subplots(1, 3, figsize=(11.5, 3.2))
    draw_against_time(quality, entry, "score", "mean model score")
    draw_against_time(accuracy, entry, "uas", "UAS on dev, %")
    shown = [width for width in (4, 16, 64) if width in widths(entry)]
    for width, shade in zip(shown, ("#e8a0a3", "#c1272d", "#6e1418")):
        points = [(length, 10**log) for length, _, log in forest(entry, width) if length <= 50]
        size.plot(*zip(*points), color=shade, linewidth=1.3, label=f"with DP, b = {width}")
    if shown:
        size.axhline(
            shown[-1], color=DRAWN["beam"]["color"], linestyle="--", label=f"without DP, b = {shown[-1]}"
        )
    size.set_yscale("log")
    size.set_xlabel("words in the sentence")
    size.set_ylabel("derivations in the beams")
    size.legend(frameon=False)
    save(drawn, stem)


def write(entries: Sequence[Entry], out: Path) -> None:
    """Write all tables into OUT/README.md and the picture beside it."""
    entry = searched(entries)
    blocks = {
        "search": table_search(entry),
        "equal": table_equal(entry),
        "forest": table_forest(entry),
        "training": table_training(entries),
    }
    fill(out / "README.md", blocks)
    if entry is not None:
        figure(entry, out / "search")
