"""Update methods for rules with gaps (Zhao, Huang, Mi & Ittycheriah 2014), from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from report import LOOKS, Entry, cell, fill, select, table

from zhao2014.plan import METHODS, MIRA, PERCEPTRON, WIDTHS


def share(part: float, whole: float) -> str:
    """Return the share in per cent."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def table_reach(entries: Sequence[Entry]) -> list[str]:
    """Return how many pairs some derivation yields."""
    rows = [["system", "seen at least", "limit", "rules", "pairs", "words", "pairs, none left out"]]
    for entry in select(entries, update="reach"):
        run = entry["run"]
        rows.append(
            [
                run["system"],
                str(run["least"]),
                str(run["limit"]),
                f"{entry['rules']:,}",
                share(entry["left_out"][0], entry["pairs"]),
                share(entry["left_out"][1], entry["words"]),
                share(entry["whole"][0], entry["pairs"]),
            ]
        )
    return table(rows) if len(rows) > 1 else ["Not measured yet."]


def table_whole(entries: Sequence[Entry]) -> list[str]:
    """Return both systems with tuned dense weights, on all of the data."""
    rows = [["system", "search", "rules", "dev BLEU", "test BLEU", "CPU s"]]
    for entry in entries:
        if entry.get("test") is not None:
            run = entry["run"]
            rows.append([run["system"], run["search"], f"{entry['rules']:,}"])
            rows[-1] += [f"{entry['bleu']:.2f}", f"{entry['test']:.2f}", f"{entry['cpu']:.0f}"]
    return table(rows) if len(rows) > 1 else ["Not measured yet."]


def table_updates(entries: Sequence[Entry], width: int) -> list[str]:
    """Return one width: every method with its updates and what it reaches on the dev part."""
    rows = [
        [
            "method",
            "dev BLEU",
            "best epoch",
            "last epoch",
            "invalid updates",
            "below the goal",
            "learning, CPU s",
        ]
    ]
    search = f"forest:{width}"
    for system, how in (("phrases", "beam:30+merge"), ("hiero", search)):
        for entry in select(entries, system=system, search=how, update="none"):
            rows.append([f"{system}, tuned", f"{entry['bleu']:.2f}", "–", "–", "–", "–", "–"])
    for learner, method in [*((PERCEPTRON, m) for m in METHODS), *((MIRA, m) for m in METHODS)]:
        found = select(entries, system="hiero", search=search, update=method, learner=learner)
        if found:
            updates = sum(sum(entry["updates"]) for entry in found)
            rows.append(
                [
                    LOOKS[method]["label"] + ("" if learner == PERCEPTRON else ", MIRA"),
                    cell([entry["bleu"] for entry in found]),
                    cell([1.0 + entry["dev"].index(max(entry["dev"])) for entry in found], 1),
                    cell([entry["dev"][-1] for entry in found]),
                    share(sum(sum(entry["invalid"]) for entry in found), updates),
                    share(sum(sum(entry["below"]) for entry in found), updates),
                    cell([entry["learning_cpu"] for entry in found], 0),
                ]
            )
    return table(rows) if len(rows) > 1 else ["Not measured yet."]


def write(entries: Sequence[Entry], out: Path) -> None:
    """Write all tables into OUT/README.md."""
    blocks = {"reachability": table_reach(entries), "whole": table_whole(entries)}
    parts = [entry for entry in entries if entry.get("test") is None]
    blocks |= {
        f"updates {width}": table_updates(parts, width)
        for width in WIDTHS
        if select(parts, search=f"forest:{width}")
    }
    blocks["cost"] = [
        f"{len(entries)} runs in {sum(entry['cpu'] for entry in entries) / 60:.1f} minutes of CPU time."
    ]
    fill(out / "README.md", blocks)
