"""How much an update teaches, from the record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean

from huang2012.teaching.plan import METHODS_TRIED, SETTINGS
from report import LOOKS, Entry, cell, fill, select, table


def taught(entries: Sequence[Entry], corpus: str) -> list[str]:
    """Return what the updates of each method were like, and how far they led."""
    heads = [
        "updates, epoch 1",
        "all",
        "of them invalid",
        "seen",
        "wrong actions",
        "squared length",
        "excess",
    ]
    rows = [["method", *heads, "dev after 1", "after 2", "best"]]
    for method in METHODS_TRIED:
        found = select(entries, corpus=corpus, update=method)
        if not found:
            continue
        invalid = sum(sum(e["invalid"]) for e in found) / max(1, sum(sum(e["updates"]) for e in found))
        rows.append(
            [
                LOOKS[method]["label"],
                f"{fmean(e['updates'][0] for e in found):.0f}",
                f"{fmean(sum(e['updates']) for e in found):.0f}",
                f"{100 * invalid:.0f} %",
                f"{fmean(e['seen'] for e in found):.0f} %",
                *(f"{fmean(e[what] for e in found):.1f}" for what in ("wrong", "length", "excess")),
                *(cell([e["dev"][at] for e in found]) for at in (0, 1)),
                cell([max(e["dev"]) for e in found]),
            ]
        )
    return table(rows)


def write(entries: Sequence[Entry], out: Path, corpora: Iterable[str] = SETTINGS) -> None:
    """Write a table for each corpus into OUT/README.md."""
    fill(out / "README.md", {f"teaching {corpus}": taught(entries, corpus) for corpus in corpora})
