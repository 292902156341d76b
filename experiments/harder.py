"""The harder the search, the more there is to gain: one picture over all records.

``python experiments/harder.py`` draws it. A point is a task with a search: how many of the standard updates
were invalid, which says how hard the search is, and how many of the errors max-violation takes away.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
from report import Entry, fill, save, table

HERE = Path(__file__).resolve().parent
TITLES = {
    "huang2012": "tags",
    "huang2012/parsing": "trees, transitions",
    "zhang2013": "trees, charts",
    "yu2013_transduction": "pronunciation",
    "yu2013": "translation, phrases",
    "zhao2014": "translation, rules with gaps",
    "geoquery": "meaning",
    "imitation": "tags",
}
VARIED = ("update", "seed")


class Point(NamedTuple):
    """A task with a search: shares in per cent, and from how many pairs of seeds."""

    record: str
    what: str
    invalid: float
    removed: float
    standard: float
    best: float
    seeds: int


def score(entry: Entry) -> float:
    """Return the best score on dev; error rates become shares of what is right."""
    if "dev_wer" in entry:
        return 100 - min(entry["dev_wer"])
    return max(entry["dev"])


def invalid(entry: Entry) -> float:
    """Return the share of updates that were no violations, in per cent."""
    return 100 * sum(entry["invalid"]) / max(1, sum(entry["updates"]))


def points(record: str, entries: Iterable[Entry]) -> list[Point]:
    """Return a point for each setting that was trained with both updates, over the seeds that both have."""
    groups: dict[str, dict[str, dict[int, Entry]]] = {}
    for entry in entries:
        run = entry["run"]
        if run.get("update") not in ("standard", "max_violation") or not entry.get("invalid"):
            continue
        if not (entry.get("dev") or entry.get("dev_wer")) or not isinstance(entry["invalid"], list):
            continue
        # Records are older than some settings, which were then what they are by default.
        kept = {k: v for k, v in run.items() if k not in VARIED and v not in (0, False, "none", "")}
        same = json.dumps(kept, sort_keys=True)
        groups.setdefault(same, {}).setdefault(run["update"], {})[run.get("seed", 0)] = entry
    found = []
    for same, by in groups.items():
        seeds = by.get("standard", {}).keys() & by.get("max_violation", {}).keys()
        if not seeds:
            continue
        standard = fmean(score(by["standard"][s]) for s in seeds)
        best = fmean(score(by["max_violation"][s]) for s in seeds)
        share = fmean(invalid(by["standard"][s]) for s in seeds)
        removed = 100 * (best - standard) / max(1e-9, 100 - standard)
        found.append(Point(record, named(json.loads(same)), share, removed, standard, best, len(seeds)))
    return found


def named(run: dict[str, Any]) -> str:
    """Return what distinguishes a setting in short."""
    width = run.get("search") or (f"width {run['width']}" if "width" in run else "")
    said = [str(run[k]) for k in ("corpus", "aim", "part", "system") if run.get(k) and run[k] != "block"]
    return ", ".join([*said, str(width)])


def of_all() -> list[Point]:
    """Return the points of all records."""
    found = []
    for record in TITLES:
        path = HERE / record / "results.jsonl"
        if path.is_file():
            found += points(record, map(json.loads, path.read_text(encoding="utf-8").splitlines()))
    return sorted(found, key=lambda point: point.invalid)


def draw(found: Sequence[Point], stem: Path) -> None:
    """Draw errors taken away against invalid updates."""
    figure, axes = plt.subplots(figsize=(6.4, 3.8))
    marks = dict(zip(dict.fromkeys(TITLES.values()), "os^DvPX"))
    for title, mark in marks.items():
        mine = [p for p in found if TITLES[p.record] == title]
        if mine:
            axes.plot(
                [p.invalid for p in mine], [p.removed for p in mine], mark, ms=5, alpha=0.8, label=title
            )
    axes.axhline(0, color="#999999", linewidth=0.8)
    axes.set_xscale("symlog", linthresh=1)
    axes.set_xlim(-0.15, 100)
    axes.set_xticks([0, 1, 10, 50, 100], ["0", "1", "10", "50", "100"])
    axes.set_xlabel("invalid updates of the standard method, %")
    axes.set_ylabel("errors on dev that max-violation\ntakes away, %")
    axes.legend(frameon=False, fontsize=7)
    save(figure, stem)


def by_hardness(found: Sequence[Point]) -> list[str]:
    """Return means of the points in four classes."""
    rows = [
        [
            "invalid standard updates",
            "settings",
            "errors taken away",
            "least",
            "greatest",
            "max-violation better in",
        ]
    ]
    for low, high, said in (
        (-1, 1, "under 1 %"),
        (1, 10, "1 to 10 %"),
        (10, 30, "10 to 30 %"),
        (30, 101, "over 30 %"),
    ):
        some = [p.removed for p in found if low <= p.invalid < high]
        if some:
            better = sum(each > 0 for each in some)
            cells = (
                f"{fmean(some):+.1f} %",
                f"{min(some):+.1f} %",
                f"{max(some):+.1f} %",
                f"{better} of {len(some)}",
            )
            rows.append([said, str(len(some)), *cells])
    return table(rows)


if __name__ == "__main__":
    every = of_all()
    draw(every, HERE / "harder")
    fill(HERE / "README.md", {"harder": by_hardness(every)})
    for point in every:
        shares = f"{point.invalid:5.1f} % {point.removed:+6.1f} %"
        print(f"{point.record:22} {point.what:44} {shares} ({point.seeds} seeds)")
