"""Hidden sub-labels beside plain labels, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from learners.results import dev_of, gap
from report import Entry, cell, fill, select, table

from sun2009.cycles import ceiling, draw
from sun2009.labels import CORPORA
from sun2009.plan import HIDDEN


def at(entries: Sequence[Entry], corpus: str, hidden: int) -> list[Entry]:
    return select(entries, corpus=corpus, hidden=hidden)


def sub_labels(entries: Sequence[Entry], corpus: str) -> list[str]:
    """Return one row for each number of sub-labels."""
    what = CORPORA[corpus].score
    heads = [f"dev {what}", f"test {what}", "test − hidden 1", "invalid %", "CPU s an epoch", "weights"]
    rows = [["hidden", "it", *heads]]
    for hidden in HIDDEN:
        found = at(entries, corpus, hidden)
        if not found:
            continue
        made = sum(sum(entry["updates"]) for entry in found)
        invalid = 100 * sum(sum(entry["invalid"]) for entry in found) / max(1, made)
        rows.append(
            [
                str(hidden),
                f"{fmean(entry['best_epoch'] for entry in found):.1f}",
                cell([dev_of(entry) for entry in found]),
                cell([entry["test"] for entry in found]),
                "" if hidden == 1 else gap(found, at(entries, corpus, 1)),
                f"{invalid:.1f}",
                f"{fmean(fmean(entry['cpu']) for entry in found):.2f}",
                f"{fmean(entry['weights'] for entry in found):,.0f}",
            ]
        )
    return table(rows)


def by_seed(entries: Sequence[Entry], corpus: str) -> list[str]:
    """Return the test score of every seed: learning is not convex, and where it starts matters."""
    seeds = sorted({entry["run"]["seed"] for entry in select(entries, corpus=corpus)})
    rows = [["hidden", *(f"seed {seed}" for seed in seeds)]]
    for hidden in HIDDEN:
        scores = {entry["run"]["seed"]: entry["test"] for entry in at(entries, corpus, hidden)}
        rows.append([str(hidden), *(f"{scores[s]:.2f}" if s in scores else "–" for s in seeds)])
    return table(rows)


def write(entries: Sequence[Entry], out: Path, corpora: Sequence[str] = tuple(CORPORA)) -> None:
    """Write all tables into OUT/README.md."""
    blocks = {corpus: sub_labels(entries, corpus) for corpus in corpora}
    if "cycles" in corpora:
        quick = any(entry["run"]["quick"] for entry in entries)
        best = ceiling(draw(quick)["test"])
        blocks["cycles by seed"] = [
            *by_seed(entries, "cycles"),
            "",
            f"Who knows the chain has {best:.2f} on the test part.",
        ]
    fill(out / "README.md", blocks)
