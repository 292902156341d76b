"""The measurements as tables with ratios, in Markdown and JSON, signed with where and how they were made."""

from __future__ import annotations

import datetime
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Result = dict[str, Any]

# (key, heading, decimals, divided by, whether more is better)
COLUMNS: list[tuple[str, str, int, float, bool]] = [
    ("train_s", "training, CPU s", 1, 1, False),
    ("epoch_s", "epoch, CPU s", 3, 1, False),
    ("tag_tok_s", "str → str, k tokens/s", 1, 1000, True),
    ("later_tok_s", "the same after a long text", 1, 1000, True),
    ("decode_tok_s", "decode only, k tokens/s", 1, 1000, True),
    ("rss_mb", "peak RSS, MB", 0, 1, False),
    ("model_mb", "model, MB", 1, 1, False),
]

# What structron set out to reach: (task, system, key, at least or at most, figure).
GOALS: list[tuple[str, str, str, str, float]] = [
    ("upos", "structron", "score", "≥", 95.4),
    ("xpos", "structron", "score", "≥", 94.9),
    ("chunk", "structron", "score", "≥", 93.9),
    ("upos", "structron-beam1", "decode_tok_s", "≥", 1.5e6),
    ("upos", "structron-beam1", "tag_tok_s", "≥", 0.8e6),
    ("upos", "structron", "rss_mb", "≤", 400.0),
    ("upos", "structron", "model_mb", "≤", 10.0),
    ("parsing", "structron-rich", "score", "≥", 87.5),
    ("parsing", "structron-fast", "decode_tok_s", "≥", 4e4),
    ("parsing", "structron-rich", "rss_mb", "≤", 1500.0),
    ("parsing", "structron-rich", "model_mb", "≤", 30.0),
    ("parsing", "structron-rich", "to_best_s", "≤", 240.0),
    ("parsing", "structron-fast-greedy", "decode_tok_s", "≥", 2e5),
    ("parsing", "structron-fast-greedy", "train_s", "≤", 20.0),
    ("parsing", "structron-graph-exact", "score", "≥", 86.0),
    ("parsing", "structron-graph-exact", "decode_tok_s", "≥", 4e4),
    ("parsing", "structron-graph", "score", "≥", 88.3),
    ("parsing", "structron-graph", "decode_tok_s", "≥", 8e3),
    ("parsing", "structron-combined", "score", "≥", 89.8),
    ("parsing", "structron-combined", "train_s", "≤", 600.0),
    ("parsing", "structron-combined", "rss_mb", "≤", 2000.0),
]
# Peers that cannot be installed from PyPI: (system, UAS, LAS, training CPU s, k tokens/s, peak RSS in MB).
ELSEWHERE = {
    "parsing": [
        ("TurboParser 2, basic (arc-factored), MIRA", 86.48, 84.25, 1646, 2.6, 748),
        ("UDPipe 1, ten epochs, beam 5", 84.49, 81.82, 1351, 5.0, 254),
    ]
}
# (peer, key, times): the configurations with the peers' features must be so many times faster.
RATIO_GOALS = [
    ("crfsuite-ap", "epoch_s", 4.0),
    ("crfsuite-ap", "tag_tok_s", 12.0),
    ("nltk", "tag_tok_s", 30.0),
]
# (ours, peer, key, times) for parsing.
PARSING_GOALS = [
    ("structron-fast-greedy", "udpipe", "decode_tok_s", 8.0),
    ("structron-fast-greedy", "udpipe", "tag_tok_s", 8.0),
    ("structron-fast", "spacy", "decode_tok_s", 4.0),
    ("structron-fast", "spacy", "tag_tok_s", 4.0),
]
NAMES = {
    "score": "score",
    "to_best_s": "training to the best epoch, CPU s",
    **{key: heading for key, heading, *_ in COLUMNS},
}


def about(repeats: int, quick: bool) -> dict[str, Any]:
    """Return machine, versions, date and command of a run."""
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "command": command(),
        "machine": machine(),
        "python": platform.python_version(),
        "repeats": repeats,
        "quick": quick,
        "times": "CPU time of the process, one thread",
    }


def command() -> str:
    """Return the command line, but for where results and models went."""
    words = iter(sys.argv[1:])
    kept = [
        word
        for word in words
        if not (word in ("--out", "--models") and next(words, True))
        and not word.startswith(("--out=", "--models="))
    ]
    return " ".join(["python benchmarks/run.py", *kept])


def machine() -> str:
    """Return processor, cores, memory and system, without the name of the host."""
    model, size = platform.processor() or platform.machine(), ""
    try:
        # On ARM only lscpu knows the processor by its name.
        listing = subprocess.run(["lscpu"], capture_output=True, text=True, check=True).stdout
        model = next(line.split(":", 1)[1].strip() for line in listing.splitlines() if "Model name" in line)
        size = f", {os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"
    except (OSError, ValueError, StopIteration, subprocess.SubprocessError):
        pass
    return f"{model}, {os.cpu_count()} cores{size}, {platform.system()} {platform.machine()}"


def advantage(result: Result, reference: Result, key: str, more_is_better: bool) -> float | None:
    """Return how many times better the reference is; below one, the other is."""
    mine, theirs = reference.get(key), result.get(key)
    if not mine or not theirs:
        return None
    return float(mine / theirs) if more_is_better else float(theirs / mine)


def markdown(results: dict[str, Any], reference: str) -> str:
    """Return all tables as Markdown."""
    return "\n".join(lines(results, reference))


def lines(results: dict[str, Any], reference: str) -> Iterator[str]:
    made = results["about"]
    yield "# structron and other systems"
    yield ""
    yield f"{made['date']} · {made['machine']} · Python {made['python']}  "
    yield f"`{made['command']}` · medians of {made['repeats']} interleaved rounds · {made['times']}"
    if made["quick"]:
        yield ""
        yield "A quick run on a small part of the data: its figures show that things work, no more."
    yield ""
    yield f"The figures in brackets say how many times better {reference} is (among parsers: structron-fast)."
    yield "Training is the time from lists of str to the model; an epoch is one pass without making features."
    yield "For the other systems `str → str` includes computing features in Python, as their users must."
    yield "Every timing starts from the model file, so no system has seen the text before."
    yield "`after a long text` means that it processed the training set first and may have cached its words."
    for name, task in results["tasks"].items():
        yield ""
        yield from task_table(name, task, reference)
    goals = list(goal_lines(results))
    if goals:
        yield ""
        yield "## Goals"
        yield ""
        yield from table([["what", "goal", "measured", ""], *goals])
    versions = sorted(
        {result["version"] for task in results["tasks"].values() for result in task["systems"].values()}
    )
    yield ""
    yield "## Settings"
    yield ""
    yield "Versions: " + ", ".join(versions) + "."
    yield ""
    settings = {n: r["settings"] for t in results["tasks"].values() for n, r in t["systems"].items()}
    for name, text in settings.items():
        yield f"- **{name}**: {text}"


def task_table(name: str, task: dict[str, Any], reference: str) -> Iterator[str]:
    yield f"## {task['title']}"
    yield ""
    yield f"{task.get('train_tokens', 0):,} tokens of training, {task.get('test_tokens', 0):,} of test text."
    yield ""
    if reference not in task["systems"]:  # a parser among parsers
        reference = next(
            (name for name in ("structron-fast", *task["systems"]) if name in task["systems"]), reference
        )
    ours = task["systems"].get(reference, {})
    trees = task["metric"] == "LAS"
    body = [["system", *["UAS"] * trees, task["metric"], "epochs", *(heading for _, heading, *_ in COLUMNS)]]
    for system, result in task["systems"].items():
        uas = [f"{result['uas']:.2f}"] if trees else []
        row = [system, *uas, f"{result['score']:.2f}", str(result["epochs"])]
        for key, _, decimals, divisor, more in COLUMNS:
            value = result.get(key)
            if value is None:
                row.append("")
                continue
            cell = f"{value / divisor:,.{decimals}f}"
            times = advantage(result, ours, key, more) if system != reference else None
            row.append(
                cell
                if times is None
                else f"{cell} ({times:.2g}×)"
                if times < 10
                else f"{cell} ({times:.0f}×)"
            )
        body.append(row)
    yield from table(body)
    for system, result in task["systems"].items():
        if result.get("to_best_s") is not None:
            yield ""
            yield (
                f"{system}: best on the dev set after epoch {result['best_epoch']}, "
                f"{result['to_best_s']:.1f} CPU s from the start."
            )
    if name in ELSEWHERE:
        yield ""
        yield "Not of this run, but measured once with the same files on another machine (Neoverse-N1):"
        yield ""
        heads = ["system", "UAS", "LAS", "training, CPU s", "k tokens/s", "peak RSS, MB"]
        yield from table([heads, *([str(cell) for cell in row] for row in ELSEWHERE[name])])
    for system, reason in task["skipped"].items():
        yield ""
        yield f"{system} left out: {reason}."


def goal_lines(results: dict[str, Any]) -> Iterator[list[str]]:
    """Yield one row per goal that this run can judge; none for a quick run."""
    if results["about"]["quick"]:
        return
    for task, system, key, sign, figure in GOALS:
        value = results["tasks"].get(task, {}).get("systems", {}).get(system, {}).get(key)
        if value is not None:
            met = value >= figure if sign == "≥" else value <= figure
            plain = f"{value:,.0f}" if figure > 1000 else f"{value:.2f}"
            yield [
                f"{task}, {system}: {NAMES[key].replace(', k tokens/s', ', tokens/s')}",
                f"{sign} {figure:,g}" if figure < 1000 else f"{sign} {figure:,.0f}",
                plain,
                "met" if met else "open",
            ]
    more = {key: better for key, _, _, _, better in COLUMNS}
    pairs = [(o, *g) for o in ("structron", "structron-exact", "structron-beam1") for g in RATIO_GOALS]
    for task, measured in results["tasks"].items():
        for ours, peer, key, figure in [*pairs, *PARSING_GOALS]:
            systems = measured["systems"]
            if ours not in systems or peer not in systems:
                continue
            times = advantage(systems[peer], systems[ours], key, more[key])
            if times is not None:
                heading = NAMES[key].split(",")[0]
                yield [
                    f"{task}, {ours} against {peer}: {heading}",
                    f"≥ {figure:g}×",
                    f"{times:.1f}×",
                    "met" if times >= figure else "open",
                ]


def table(body: list[list[str]]) -> Iterator[str]:
    """Yield rows as Markdown, padded so that it reads well in a terminal too."""
    widths = [max(len(row[i]) for row in body) for i in range(len(body[0]))]
    for n, row in enumerate(body):
        cells = [
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths))
        ]
        yield "| " + " | ".join(cells) + " |"
        if n == 0:
            yield (
                "|"
                + "|".join("-" * (w + 2) if i == 0 else "-" * (w + 1) + ":" for i, w in enumerate(widths))
                + "|"
            )


def write(results: dict[str, Any], out: Path, reference: str) -> None:
    """Write OUT.json and OUT.md."""
    out.parent.mkdir(parents=True, exist_ok=True)
    out.with_suffix(".json").write_text(
        json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    out.with_suffix(".md").write_text(markdown(results, reference) + "\n", encoding="utf-8")
