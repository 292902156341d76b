"""Accuracy against speed of parsers: `python benchmarks/frontier.py [--models FOLDER] [--clusters FILE]`

UD English-EWT with gold tags, features and lemmas. Every parser learns in a process of its own from the
training part, its epoch chosen on dev, and parses with several searches, each time in a new process from the
model file: CPU time of one thread from lists of str to lists of str, the median of `--rounds` that go through
all parsers in turn. `--on dev` (the usual) is for choosing, `--on test` is the table. spaCy is trained in the
same way; peers that were too slow to train here stand with the figures of report.py.

Parsers in FOLDER are not trained again. `--clusters` names a file that `structron cluster` made of
`benchmarks/cluster_text.py`'s text; without it parsers with clusters are left out. Written:
benchmarks/results/frontier.json, .md, .svg and .png; rows that are not asked for stay as they were.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import matplotlib
from corpora import TASKS, attached, fresh, load
from report import ELSEWHERE
from systems import make
from systems.structron_parser import FAST, GREEDY, LEAN, RICH, tree

from structron import Parser
from structron.search import parse_search

matplotlib.use("Agg")
import matplotlib.pyplot as plt

RESULTS = Path(__file__).parent / "results"
TASK = TASKS["parsing"]
CLUSTERS = "FILE"
SMALL: dict[str, Any] = {"min_weight": 2.5}
NARROW = ("beam:4+within=60", "beam:4+within=120", "beam:4+within=200")
WIDER = ("beam:4+within=150", "beam:8+within=150", "beam:8+within=200", "beam:8")
OURS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "greedy": (GREEDY, ("greedy",)),
    "fast, greedy": (FAST | {"search": "greedy"}, ("greedy",)),
    "fast": (FAST, ("beam:8+within=60", "beam:8")),
    "rich, greedy": (RICH | SMALL | {"search": "greedy"}, ("greedy",)),
    "rich": (RICH, (*NARROW, "beam:8")),
    "rich, clusters": (RICH | {"clusters": CLUSTERS}, (*NARROW, "beam:8", "beam:16")),
    "rich, clusters, small": (RICH | SMALL | {"clusters": CLUSTERS}, NARROW),
    "lean": (LEAN, WIDER),
    "lean, clusters": (LEAN | {"clusters": CLUSTERS}, WIDER),
    "lean, clusters, small": (LEAN | SMALL | {"clusters": CLUSTERS}, WIDER),
    "graph, exact": ({"system": "graph", "search": "forest"}, ("forest",)),
    "graph": ({"system": "graph"}, ("",)),
    "combined": (RICH | {"combine": "graph+arcs+eager+backward"}, ("",)),
}
PEERS = ("spacy",)


def train(name: str, file: str, clusters: str) -> None:
    """Learn and save."""
    splits = {part: load(TASK, part) for part in ("train", "dev")}
    if name in PEERS:
        system = make(name, TASK, Path(file).parent)
        system.train(splits["train"], splits["dev"])
        system.save(Path(file))
        return
    options = OURS[name][0]
    if "clusters" in options:
        options = options | {"clusters": clusters}
    gold = {part: [tree(answers) for answers in split.gold] for part, split in splits.items()}
    dev = splits["dev"].inputs, gold["dev"]
    Parser(**options).fit(splits["train"].inputs, gold["train"], dev=dev).save(file)


def parse(name: str, file: str, search: str, part: str) -> dict[str, float]:
    """Return LAS and tokens a second."""
    split = load(TASK, part)
    system = make(name if name in PEERS else "structron-rich", TASK, Path(file).parent)
    system.load(Path(file))
    if search:
        system.parser.model_.search = parse_search(search)
    system.tag(load(TASK, "train").inputs[:1])  # an engine may be built at its first use
    inputs = fresh(split.inputs)
    before = time.process_time()
    found = system.tag(inputs)
    seconds = time.process_time() - before
    return {"las": attached(split.gold, found, labelled=True), "tok_s": sum(map(len, found)) / seconds}


def child(verb: str, *arguments: str) -> Any:
    """Return what a process of its own answers."""
    command = [sys.executable, __file__, "--child", verb, *arguments]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.splitlines()[-1])


def draw(rows: list[dict[str, Any]], stem: Path) -> None:
    """Draw our points and those of others, and the frontier of ours."""
    figure, axes = plt.subplots(figsize=(8, 4.8))
    ours = sorted((r for r in rows if r["ours"]), key=lambda r: -r["k_tok_s"])
    for name in dict.fromkeys(r["system"] for r in ours):
        own = [r for r in ours if r["system"] == name]
        axes.scatter([r["k_tok_s"] for r in own], [r["las"] for r in own], label=f"structron, {name}", s=28)
    line = [r for i, r in enumerate(ours) if all(r["las"] > other["las"] for other in ours[:i])]
    axes.plot([r["k_tok_s"] for r in line], [r["las"] for r in line], color="0.6", zorder=0)
    for row in rows:
        if not row["ours"]:
            axes.scatter([row["k_tok_s"]], [row["las"]], marker="x", color="black")
            axes.annotate(row["system"], (row["k_tok_s"], row["las"]), (5, -3), textcoords="offset points")
    axes.set(xscale="log", xlabel="thousand tokens a second, one thread", ylabel="LAS")
    axes.legend(fontsize=7, loc="lower right")
    figure.tight_layout()
    for end in (".svg", ".png"):
        figure.savefig(stem.with_suffix(end), dpi=150, metadata={"Date": None} if end == ".svg" else None)


def page(rows: list[dict[str, Any]], part: str) -> str:
    rounds = max(row["rounds"] for row in rows)
    lines = [
        "# Accuracy against speed of parsers",
        "",
        f"`python benchmarks/frontier.py --on {part} --clusters FILE --rounds {rounds}`;",
        "UD English-EWT with gold tags, features and lemmas. CPU time of one thread, from lists of str to",
        "lists of str, right after loading; medians of the rounds. FILE is made as",
        "[clusters.md](clusters.md) says.",
        "",
    ]
    lines += ["![LAS against tokens a second](frontier.svg)", ""]
    lines += ["| parser | search | LAS | k tokens/s |", "|---|---|---:|---:|"]
    for row in sorted(rows, key=lambda row: -row["k_tok_s"]):
        name = f"structron, {row['system']}" if row["ours"] else row["system"]
        lines.append(f"| {name} | {row['search']} | {row['las']:.2f} | {row['k_tok_s']:.1f} |")
    told = {name: ", ".join(f"{k}={v!r}" for k, v in options.items()) for name, (options, _) in OURS.items()}
    there = {row["system"] for row in rows}
    lines += ["", *(f"- **{name}**: `Parser({each})`" for name, each in told.items() if name in there)]
    lines += [f"- {', '.join(row[0] for row in ELSEWHERE['parsing'])}: measured in another run, once."]
    lines += ["- Parsers with `rounds` below the largest in frontier.json were measured in an earlier run."]
    lines += ["- A first form of **lean**, of 110 templates, was scored on test, too (decision 38)."]
    if missing := [name for name in OURS if name not in there]:
        lines += [f"- Not in this run: {', '.join(missing)}; [parsing.md](parsing.md) has them."]
    return "\n".join([*lines, ""])


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps({"train": train, "parse": parse}[sys.argv[2]](*sys.argv[3:])))
        return
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("names", nargs="*", default=[*OURS, *PEERS], metavar="NAME")
    options.add_argument("--models", type=Path)
    options.add_argument("--clusters", default="")
    options.add_argument("--on", default="dev", choices=("dev", "test"))
    options.add_argument("--rounds", type=int, default=3)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        models = asked.models or Path(scratch)
        models.mkdir(parents=True, exist_ok=True)
        files, points = {}, []
        for name in asked.names:
            if name in OURS and "clusters" in OURS[name][0] and not asked.clusters:
                print(f"{name}: left out; give --clusters", file=sys.stderr)
                continue
            files[name] = models / f"{name.replace(', ', '-')}.model"
            if not files[name].exists():
                print(f"{name} learns", file=sys.stderr, flush=True)
                child("train", name, str(files[name]), asked.clusters)
            points += [(name, search) for search in (OURS[name][1] if name in OURS else ("",))]
        told: dict[tuple[str, str], list[dict[str, float]]] = {point: [] for point in points}
        for _ in range(asked.rounds):
            for name, search in points:
                told[name, search].append(child("parse", name, str(files[name]), search, asked.on))
    rows = {}
    for (name, search), rounds in told.items():
        speed = statistics.median(each["tok_s"] for each in rounds) / 1000
        rows[f"{name} {search}"] = {"system": name, "search": search, "ours": name in OURS}
        rows[f"{name} {search}"] |= {"las": rounds[0]["las"], "k_tok_s": speed, "rounds": len(rounds)}
    for name, _, las, _, speed, _ in ELSEWHERE["parsing"]:
        rows[name] = {"system": name, "search": "", "ours": False, "las": las, "k_tok_s": speed, "rounds": 1}
    stem = RESULTS / ("frontier" if asked.on == "test" else "frontier.dev")
    out = stem.with_name(f"{stem.name}.json")
    kept = json.loads(out.read_text(encoding="utf-8")) if out.is_file() else {}
    kept |= rows
    print(page(list(kept.values()), asked.on))
    if asked.on == "test":
        out.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        draw(list(kept.values()), stem)
        stem.with_suffix(".md").write_text(page(list(kept.values()), asked.on), encoding="utf-8")


if __name__ == "__main__":
    main()
