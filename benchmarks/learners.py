"""What each learner costs: `python benchmarks/learners.py`, the second half of `make bench`.

Two questions, in CPU time, all learners in turn, round after round, medians reported. What does an epoch cost
when training goes its own way from zero? And what does one cost from the same weights, those after one epoch
of the perceptron, so that all learners meet much the same mistakes?
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import report
from corpora import TASKS, DataMissing, Split, Task, check, load

HERE = Path(__file__).resolve().parent
EPOCHS = 3
LEARNERS = (
    "perceptron",
    "perceptron:margin=20",
    "mira",
    "mira:augmented",
    "mira:5",
    "swvp:full",
    "swvp:single,wm,balanced,beta=1",
    "swvp:single,wm,aggressive,beta=1",
    "swvp:single,wmr,balanced,beta=1",
    "swvp:error_spans,uniform,balanced",
    "swvp:windows=3,uniform,balanced",
    "swvp:prefixes,uniform,balanced",
    "swvp:single,best,balanced",
    "swvp:single,optimal,balanced",
)


def measure(task: Task, repeats: int, limit: int | None) -> dict[str, Any]:
    """Return all learners on one task."""
    train = load(task, "train", limit)
    assert train is not None
    start = after_one_epoch(train)
    rows: dict[str, dict[str, list[float]]] = {
        name: {"epoch_s": [], "updates": [], "same_s": [], "same_updates": []} for name in LEARNERS
    }
    for turn in range(repeats):
        print(f"{task.name}: round {turn + 1} of {repeats}", file=sys.stderr, flush=True)
        for name, row in rows.items():
            own = run(train, name, EPOCHS)
            same = run(train, name, 1, start)
            row["epoch_s"].append(own[0] / EPOCHS)
            row["updates"].append(own[1] / EPOCHS)
            row["same_s"].append(same[0])
            row["same_updates"].append(same[1])
    return {
        "title": task.title,
        "sentences": len(train.gold),
        "learners": {
            name: {key: median(values) for key, values in row.items()} | {"all_s": row["epoch_s"]}
            for name, row in rows.items()
        },
    }


def run(train: Split, learner: str, epochs: int, start: Any = None) -> tuple[float, int]:
    """Return CPU seconds and updates of some epochs, from zero or from given weights."""
    learning, corpus = prepared(train, learner)
    if start is not None:
        learning.weights.restore(*start)
    trainer = learning.learner(corpus)
    rng = np.random.default_rng(0)
    seconds, updates = 0.0, 0
    for _ in range(epochs):
        order = np.arange(corpus.sentences, dtype=np.uint32)
        rng.shuffle(order)
        begin = time.process_time()
        counts = trainer.run(order)
        seconds += time.process_time() - begin
        updates += counts[3]
    return seconds, updates


def after_one_epoch(train: Split) -> Any:
    """Return the perceptron's weights after one epoch, as `Weights.restore` takes them."""
    learning, corpus = prepared(train, "perceptron")
    learning.learner(corpus).run(np.arange(corpus.sentences, dtype=np.uint32))
    return (*learning.weights.state(), learning.weights.clock)


def prepared(train: Split, learner: str) -> tuple[Any, Any]:
    """Return a training that is about to begin, with the defaults of `Tagger` but for the learner."""
    from structron import Tagger
    from structron.fit import Learning

    tagger = Tagger(learner=learner)
    plan = tagger.plan(train.inputs, train.gold)
    learning, examples = Learning.start(plan.task, plan.recipe), plan.examples
    return learning, learning.pack(examples.xs, examples.ys)


def markdown(results: dict[str, Any]) -> str:
    """Return the tables, with ratios to the perceptron."""
    made = results["about"]
    out = [
        "# The time of each learner",
        "",
        f"{made['date']} · {made['machine']} · Python {made['python']}  ",
        f"`{made['command']}` · medians of {made['repeats']} interleaved rounds · {made['times']}",
        "",
        "`Tagger` with its defaults (beam of 4, second order, max-violation) except the learner. Brackets:",
        f"times the perceptron's. An own epoch is the mean of the first {EPOCHS} from zero; from the",
        "same weights is one epoch from the perceptron's weights after one epoch.",
    ]
    for task in results["tasks"].values():
        base = task["learners"]["perceptron"]
        body = [["learner", "epoch, CPU s", "updates", "from the same weights, CPU s", "updates"]]
        for name, row in task["learners"].items():
            body.append(
                [
                    f"`{name}`",
                    f"{row['epoch_s']:.3f} ({row['epoch_s'] / base['epoch_s']:.2f}×)",
                    f"{row['updates']:,.0f}",
                    f"{row['same_s']:.3f} ({row['same_s'] / base['same_s']:.2f}×)",
                    f"{row['same_updates']:,.0f}",
                ]
            )
        out += ["", f"## {task['title']}, {task['sentences']:,} sentences", "", *report.table(body)]
    return "\n".join(out)


def main() -> int:
    parser = argparse.ArgumentParser(description="What each learner costs.")
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=["upos", "chunk"])
    parser.add_argument("--repeats", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("--sentences", type=int, help="only the first so many of each training part")
    parser.add_argument("--out", type=Path, help="write OUT.json and OUT.md")
    args = parser.parse_args()
    tasks = [TASKS[name] for name in args.tasks]
    try:
        check(tasks)
    except DataMissing as message:
        print(message, file=sys.stderr)
        return 2
    made = report.about(args.repeats, False)
    made["command"] = made["command"].replace("run.py", "learners.py")
    results: dict[str, Any] = {"about": made, "tasks": {}}
    out = args.out or HERE / "results" / "learners"
    for task in tasks:
        results["tasks"][task.name] = measure(task, args.repeats, args.sentences)
        out.with_suffix(".json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
        out.with_suffix(".md").write_text(markdown(results) + "\n", encoding="utf-8")
    print(markdown(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
