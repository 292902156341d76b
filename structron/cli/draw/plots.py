"""Pictures, each as PNG and as SVG. Matplotlib is loaded when the first one is drawn."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from structron.errors import SettingError
from structron.theory.plots import save

if TYPE_CHECKING:
    from structron.fit import Epoch
    from structron.reference import Trace

# Colours that also readers with colour-blind eyes can tell apart (Okabe & Ito).
BLUE, ORANGE, GREEN, RED, PINK, SKY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9"
METHOD_COLOURS = {"standard": RED, "early": ORANGE, "max_violation": BLUE, "latest": PINK, "hybrid": SKY}
METHOD_MARKS = {"standard": "s", "early": "^", "max_violation": "o", "latest": "D", "hybrid": "v"}


def has_matplotlib() -> bool:
    """Return whether matplotlib is installed, without importing it."""
    return importlib.util.find_spec("matplotlib") is not None


def check_matplotlib(what: str) -> None:
    """Refuse early, before any work is done, if nothing can be drawn."""
    if not has_matplotlib():
        raise SettingError(f"{what} needs matplotlib, which is not installed; pip install matplotlib")


def training_curves(history: Sequence[Epoch], path: Path) -> list[Path]:
    """Draw dev score, errors, updates and invalid updates against epochs."""
    epochs = [epoch.epoch for epoch in history]
    scored = all(epoch.dev_score is not None for epoch in history)
    figure = _figure(4.2 * (3 if scored else 2), 3.4)
    panels = list(figure.subplots(1, 3 if scored else 2))
    if scored:
        panel = panels.pop(0)
        scores = [100 * (epoch.dev_score or 0.0) for epoch in history]
        panel.plot(epochs, scores, color=BLUE, marker="o", markersize=4)
        # None is, if no epoch was better than what training started from.
        for best in [i for i, epoch in enumerate(history) if epoch.best][-1:]:
            panel.plot(epochs[best], scores[best], color=BLUE, marker="o", markersize=10, fillstyle="none")
            panel.annotate(
                f"{scores[best]:.2f}",
                (epochs[best], scores[best]),
                (0, -16),
                textcoords="offset points",
                ha="center",
                color=BLUE,
            )
        _dress(panel, "score on the development set", "per cent")
    panels[0].plot(epochs, [epoch.errors for epoch in history], color=ORANGE, marker="o", markersize=4)
    panels[0].set_ylim(bottom=0)
    _dress(panels[0], "sentences wrong in training", "sentences")
    valid = [epoch.updates - epoch.invalid for epoch in history]
    invalid = [epoch.invalid for epoch in history]
    panels[1].bar(epochs, valid, color=SKY, label="valid")
    panels[1].bar(epochs, invalid, bottom=valid, color=RED, label="invalid")
    for epoch in history:
        if epoch.invalid:
            panels[1].annotate(
                f"{100 * epoch.invalid_share:.0f} %",
                (epoch.epoch, epoch.updates),
                (0, 2),
                ha="center",
                textcoords="offset points",
                fontsize=7,
                color=RED,
            )
    panels[1].legend(frameon=False)
    _dress(panels[1], "updates", "updates")
    for panel in figure.axes:
        panel.xaxis.get_major_locator().set_params(integer=True)
        panel.set_xlabel("epoch")
    return save(figure, path)


def update_points(trace: Trace, words: Sequence[str], path: Path, about: str) -> list[Path]:
    """Draw Figure 3 of Huang et al. (2012) on a real sentence: beam, gold, and where methods update."""
    import numpy as np

    best = trace.best_score
    worst = np.array([row[-1].score for row in trace.beams])
    figure = _figure(9.0, 6.6)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 3))
    _trajectories(above, trace, best, worst, np.zeros(len(best)))
    _trajectories(below, trace, best, worst, best)
    # Above the line gold would win: the whole beam is worse, and nothing is to be fixed.
    gap = trace.gold_score - best
    low, high = below.get_ylim()
    below.axhspan(0.0, max(high, 0.1), color=RED, alpha=0.07, linewidth=0)
    below.set_ylim(low, high)
    if (gap > 0).any():
        below.annotate(
            "gold scores more than the best: an update here is invalid",
            (0.01, high),
            (0, -4),
            va="top",
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            color=RED,
            fontsize=9,
        )
    for panel in (above, below):
        for row, names in _update_rows(trace).items():
            colour = METHOD_COLOURS[names[0]]
            panel.axvline(row, color=colour, linewidth=1.2, zorder=0)
            if panel is below:
                panel.plot(
                    [row, row], [gap[row], 0], color=colour, linewidth=6, alpha=0.5, solid_capstyle="butt"
                )
                continue
            said = "\n".join(name.replace("_", "-") for name in names) + "\n(invalid)" * bool(gap[row] > 0)
            panel.annotate(
                said,
                (row, 1.0),
                (0, 4),
                xycoords=("data", "axes fraction"),
                textcoords="offset points",
                ha="center",
                va="bottom",
                color=colour,
                fontsize=9,
            )
    above.legend(frameon=False, loc="upper left")
    _dress(above, "", "model score")
    _dress(below, "", "score minus the best in the beam")
    below.set_xticks(range(len(words)), [f"{word}\n{i}" for i, word in enumerate(words, 1)])
    below.set_xlabel(about)
    return save(figure, path)


def _trajectories(panel: Any, trace: Trace, best: Any, worst: Any, zero: Any) -> None:
    """Draw best, worst and gold, measured from `zero`."""
    from structron.reference import fall_off

    rows = range(len(best))
    gold = trace.gold_score - zero
    panel.fill_between(rows, worst - zero, best - zero, color=BLUE, alpha=0.15, linewidth=0)
    panel.plot(rows, best - zero, color=BLUE, linewidth=2, label="best in the beam")
    panel.plot(rows, worst - zero, color=BLUE, linewidth=1, linestyle=":", label="worst in the beam")
    fallen = fall_off(trace)
    kept = len(rows) if fallen is None else fallen
    panel.plot(
        rows[:kept],
        gold[:kept],
        color=GREEN,
        marker="o",
        markersize=5,
        linewidth=2,
        label="gold, in the beam",
    )
    if fallen is not None:
        joined = max(fallen - 1, 0)
        panel.plot(rows[joined:], gold[joined:], color=GREEN, linestyle="--", linewidth=2, zorder=1)
        panel.plot(
            rows[fallen:],
            gold[fallen:],
            color=GREEN,
            marker="X",
            markersize=8,
            linestyle="",
            label="gold, fallen off",
        )


def _update_rows(trace: Trace) -> dict[int, list[str]]:
    """Return the rows of the paper's picture, each with the methods that take it."""
    from structron.reference import METHODS

    taken: dict[int, list[str]] = {}
    for name in ("early", "max_violation", "latest", "standard"):
        row = METHODS[name](trace)
        if isinstance(row, int):
            taken.setdefault(row, []).append(name)
    return taken


def accuracy_by_width(
    accuracies: Mapping[str, Mapping[str, Sequence[float]]], path: Path, about: str, exact: str = "exact"
) -> list[Path]:
    """Draw Figure 4 of Huang et al. (2012): accuracy against beam width by method, exact search last.

    Each point is the mean of several runs, each bar reaches from the worst to the best of them.
    """
    figure = _figure(6.8, 4.6)
    panel = figure.subplots()
    for number, (method, scores) in enumerate(accuracies.items()):
        widths = list(scores)
        # A little apart, so that bars do not hide each other.
        places = [i + 0.04 * (number - (len(accuracies) - 1) / 2) for i in range(len(widths))]
        means = [100 * sum(runs) / len(runs) for runs in scores.values()]
        low = [mean - 100 * min(runs) for mean, runs in zip(means, scores.values())]
        high = [100 * max(runs) - mean for mean, runs in zip(means, scores.values())]
        colour = METHOD_COLOURS[method]
        last = len(widths) - (exact in widths)
        panel.errorbar(
            places,
            means,
            [low, high],
            color=colour,
            marker=METHOD_MARKS[method],
            markersize=7,
            linestyle="",
            capsize=3,
            linewidth=1,
        )
        panel.plot(
            places[:last],
            means[:last],
            color=colour,
            linewidth=2,
            marker=METHOD_MARKS[method],
            markersize=7,
            label=method.replace("_", "-"),
        )
        panel.plot(places[last - 1 :], means[last - 1 :], color=colour, linewidth=1, linestyle=":")
        panel.set_xticks(range(len(widths)), [width.removeprefix("beam:") for width in widths])
    panel.legend(frameon=False, loc="lower right", title="update")
    _dress(panel, "", "accuracy on the test set, per cent")
    panel.set_xlabel(f"beam width\n{about}")
    return save(figure, path)


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _dress(panel: Any, title: str, unit: str) -> None:
    panel.set_title(title, fontsize=11)
    panel.set_ylabel(unit)
    panel.grid(True, axis="y", color="#dddddd", linewidth=0.6)
    panel.set_axisbelow(True)
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)
