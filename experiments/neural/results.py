"""Neural scores: each loss with each decoder, from the record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from report import Entry, cell, fill, table

NAMES = {"max_violation": "max-violation", "standard": "standard", "early": "early"}
CHANGES = {
    "clip": "gradients clipped at {}",
    "per": "loss of a {}, not of a sentence",
    "rate": "rate {}",
    "margin": "margin {}",
    "apart": "arcs alone; relations by softmax",
    "warm": "{} epochs of softmax first",
    "search": "search {}",
}


def name_of(run: dict[str, Any]) -> str:
    """Return what a model was trained by."""
    if run["head"] == "local":
        return "softmax of each decision"
    if run["head"] == "crf":
        return "CRF"
    search = "exact" if run["search"] in ("exact", "forest") else run["search"]
    said = "hinge" if search == "exact" else NAMES[run["update"]]
    warm = f", {run['warm']} epochs of softmax first" if run["warm"] else ""
    return f"{said}, {search}{', relations by softmax' if run['apart'] else ''}{warm}"


def is_usual(entry: Entry) -> bool:
    """Return whether a run has the settings that all of its task share; the others are trials."""
    run = entry["run"]
    return bool(run["per"] == "token" and run["clip"] == 5.0 and run["rate"] == 2e-3)


def rows_of(entries: Iterable[Entry], task: str) -> dict[str, list[Entry]]:
    """Return the entries of one task by what they were trained by."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry["run"]["task"] == task and is_usual(entry):
            found.setdefault(name_of(entry["run"]), []).append(entry)
    return found


def scores(entries: Sequence[Entry], part: str, decoder: str, what: str) -> list[float]:
    return [e["decoders"][part][decoder][what] for e in entries]


def chosen(entry: Entry) -> str:
    """Return the decoder by which the epoch was chosen."""
    return entry["run"]["search"] or {"tags": "exact", "trees": "mst", "transitions": "greedy"}[entry["run"]["task"]]


def by_decoder(entries: Iterable[Entry], task: str, what: str, decoders: Sequence[str]) -> list[str]:
    """Return dev scores of every decoder, and the test score of the one that chose the epoch."""
    heads = [f"dev, {decoder}" for decoder in decoders]
    rows = [["trained by", *heads, "test", "epoch", "s", "s in search"]]
    for name, found in rows_of(entries, task).items():
        rows.append(
            [
                name,
                *(cell(scores(found, "dev", decoder, what)) for decoder in decoders),
                cell([e["decoders"]["test"][chosen(e)][what] for e in found]),
                f"{fmean(e['best_epoch'] for e in found):.1f}",
                f"{fmean(e['seconds'] for e in found):.0f}",
                f"{fmean(e['search_seconds'] for e in found):.0f}",
            ]
        )
    return table(rows)


def mended(entries: Iterable[Entry]) -> list[str]:
    """Return the exact hinge for trees with one thing changed at a time, and what its gradients were like."""
    found = [e for e in entries if e["run"]["task"] == "trees" and not is_usual(e)]
    if not found:
        return []
    first = found[0]["run"]
    rows = [["changed", "dev LAS, forest", "mst", "epoch", "after 5", "last", "typical gradient", "greatest"]]
    for entry in found:
        run = entry["run"]
        said = [CHANGES[k].format(v) for k, v in run.items() if k in CHANGES and v != first[k]]
        dev = [d for d in entry["dev"] if d is not None]
        rows.append(
            [
                ", ".join(said) or "nothing: loss of a sentence, no clipping, margin 1, rate 0.002",
                *(cell(scores([entry], "dev", d, "las")) for d in ("forest", "mst")),
                str(entry["best_epoch"]),
                f"{dev[min(4, len(dev) - 1)]:.2f}",
                f"{dev[-1]:.2f}" if entry["finished"] else "not finite",
                f"{fmean(entry['norm']):.2f}",
                f"{max(entry['greatest']):.1f}",
            ]
        )
    return table(rows)


def write(entries: Sequence[Entry], out: Path) -> None:
    """Write all tables into OUT/README.md."""
    blocks = {
        "tags": by_decoder(entries, "tags", "accuracy", ("exact", "greedy", "beam:4")),
        "trees": by_decoder(entries, "trees", "las", ("mst", "forest")),
        "mending": mended(entries),
        "transitions": by_decoder(
            [*entries], "transitions", "las",
            ("greedy", "beam:2", "beam:8", "beam:32", "beam:8 of softmax", "beam:32 of softmax"),
        ),
    }  # fmt: skip
    fill(out / "README.md", {name: lines for name, lines in blocks.items() if lines})
