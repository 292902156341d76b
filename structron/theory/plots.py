"""The convergence proof as a picture. Matplotlib is imported only when it is drawn."""

from __future__ import annotations

import importlib.util
import io
import math
from pathlib import Path
from typing import Any

from structron.errors import SettingError
from structron.io.files.atomic_write import write_atomically
from structron.theory.audit import Audit

BLUE, GREEN, RED, GREY = "#0072B2", "#009E73", "#D55E00", "#777777"


def draw(audit: Audit, path: str | Path) -> list[Path]:
    """Write PATH as PNG and SVG: the weights' length between the walls of the proof, and every update.

    After t updates that meet the conditions, ``t δ ≤ |w| ≤ √t R``; where the walls meet is the bound.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise SettingError("a plot needs matplotlib, which is not installed; pip install matplotlib")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.0, 4.0), layout="constrained")
    left, right = figure.subplots(1, 2)
    _walls(left, audit)
    _products(right, audit)
    for panel in (left, right):
        panel.grid(True, color="#dddddd", linewidth=0.6)
        panel.set_axisbelow(True)
        panel.set_xlabel("update")
        for side in ("top", "right"):
            panel.spines[side].set_visible(False)
    figure.suptitle(", ".join(audit.choices.values()), fontsize=11)
    return save(figure, Path(path))


def save(figure: Any, path: Path) -> list[Path]:
    """Write a picture as PNG and as SVG, each whole or not at all; the same picture gives the same bytes."""
    import matplotlib

    kinds: dict[str, dict[str, Any]] = {"png": {"dpi": 150}, "svg": {"metadata": {"Date": None}}}
    paths = [path.with_suffix(f".{kind}") for kind in kinds]
    with matplotlib.rc_context({"svg.hashsalt": "structron", "svg.fonttype": "none"}):
        for place, (kind, options) in zip(paths, kinds.items()):
            drawn = io.BytesIO()
            figure.savefig(drawn, format=kind, **options)
            write_atomically(place, drawn.getvalue())
    return paths


def _walls(panel: Any, audit: Audit) -> None:
    """Plot ``|w|`` after every update, above t δ and below √t R of the set with the lowest bound."""
    numbers = list(range(1, len(audit.updates) + 1))
    panel.plot(numbers, [update.norm for update in audit.updates], color=BLUE, label="length of the weights")
    known = [each for each in audit.sets if math.isfinite(audit.promised(each)) and audit.promised(each) > 0]
    if known:
        tight = min(known, key=audit.promised)
        margin = math.sqrt((tight.radius**2 + 2 * tight.slack) / tight.bound)
        steps = [tight.bound * i / 200 for i in range(201)]
        high = [math.sqrt(t * (tight.radius**2 + 2 * tight.slack)) for t in steps]
        panel.plot(steps, high, color=RED, linestyle="--", label=f"at most √t R ({tight.name})")
        panel.plot(steps, [t * margin for t in steps], color=GREEN, linestyle="--", label="at least t δ")
        # The bound may lie far off; what happened must stay visible.
        panel.set_xlim(0, min(1.05 * tight.bound, max(20.0, 4.0 * len(numbers))))
        panel.set_ylim(0, 1.05 * math.sqrt(panel.get_xlim()[1] * (tight.radius**2 + 2 * tight.slack)))
    panel.set_title("the walls of the proof", fontsize=10)
    panel.legend(frameon=False, fontsize=8)


def _products(panel: Any, audit: Audit) -> None:
    """Plot w · change of every update: above the limit of the proof it is invalid."""
    good = [(n, u.product) for n, u in enumerate(audit.updates, 1) if u.valid]
    bad = [(n, u.product) for n, u in enumerate(audit.updates, 1) if not u.valid]
    panel.axhline(0.0, color=GREY, linewidth=1)
    for points, colour, label in ((good, BLUE, "a violation"), (bad, RED, "no violation: invalid")):
        if points:
            panel.plot(*zip(*points), ".", color=colour, label=f"{label} ({len(points)})")
    panel.set_title("w · ΔΦ of every update", fontsize=10)
    if audit.updates:
        panel.legend(frameon=False, fontsize=8)
