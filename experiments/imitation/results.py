"""Imitation and over-generating inference beside updates that fix violations, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from report import Entry, cell, fill, select, table

from imitation.plan import TRAINED, UPDATES

NAMES = {"local": "gold history (greedy LaSO)", "dagger": "DAgger", "searn": "SEARN"}


def tagged(entries: Sequence[Entry]) -> list[str]:
    """Return accuracy of every training of the greedy tagger."""
    rows = [["training", "dev, round 1", "best", "round", "test", "CPU s"]]
    kinds = [(m, "greedy") for m in (*TRAINED, *UPDATES)] + [("max_violation", "beam:8")]
    for method, search in kinds:
        found = select(entries, task="tags", method=method, search=search)
        if not found:
            continue
        name = NAMES.get(method, f"{method.replace('_', '-')}, {search}")
        rows.append(
            [
                name,
                cell([e["dev"][0] for e in found]),
                cell([max(e["dev"]) for e in found]),
                f"{fmean(e['dev'].index(max(e['dev'])) + 1 for e in found):.1f}",
                cell([e["test"] for e in found]),
                f"{fmean(e['cpu'] for e in found):.0f}",
            ]
        )
    return table(rows)


def chunked(entries: Sequence[Entry]) -> list[str]:
    """Return F1 of chunkers that searched all label sequences in training, or the legal ones."""
    rows = [["search", "in training", "dev F1, all", "dev F1, legal", "test F1, legal", "invalid updates"]]
    for search in ("greedy", "beam:4"):
        for method, said in (("legal", "legal sequences"), ("every", "all (over-generating)")):
            found = select(entries, method=method, search=search)
            found = [e for e in found if e["run"]["task"] != "tags"]
            if found:
                cells = [cell([e[key] for e in found]) for key in ("dev_None", "dev_bio", "test_bio")]
                rows.append([search, said, *cells, f"{fmean(e['invalid'] for e in found):.1f} %"])
    return table(rows)


def write(entries: Sequence[Entry], out: Path) -> None:
    """Write both tables into OUT/README.md."""
    fill(out / "README.md", {"tags": tagged(entries), "chunks": chunked(entries)})
