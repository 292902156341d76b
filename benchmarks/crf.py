"""CRFs beside CRFsuite: `python benchmarks/crf.py`. The same objective, c2 |w|² minus the log-likelihood.

Both get the same features, ready as lists of strings, and the same sentences. The objective of the weights is
computed by structron for both, so the values can be compared. CPU time is that of learning alone. Nothing is
chosen on the test part.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import report
from corpora import TASKS, DataMissing, Split, Task, check, load
from features import sentence_features

HERE = Path(__file__).resolve().parent
C2 = 1.0
OURS = {"crf": 30, "ssvm": 15, "perceptron:margin=20": 15}
# Algorithm of CRFsuite, and how many passes it may take.
THEIRS = {"lbfgs": 300, "l2sgd": 30}


class Curve(dict[str, Any]):
    """A system with CPU seconds, objective and dev score after some of its passes."""

    def point(self, seconds: float, objective: float | None, correct: float) -> None:
        self.setdefault("points", []).append({"cpu_s": seconds, "objective": objective, "score": correct})


def accuracy(guess: Sequence[Sequence[str]], gold: Sequence[Sequence[str]]) -> float:
    right = sum(a == b for x, y in zip(guess, gold) for a, b in zip(x, y))
    return 100 * right / sum(map(len, gold))


def objective(tagger: Any, train: Any, c2: float) -> float:
    weights = tagger.model_.rows.weights.astype(float)
    return float(c2 * (weights @ weights) - tagger.log_likelihood(*train))


def ours(learner: str, epochs: int, train: Any, test: Any, c2: float, every: int) -> Curve:
    """Return a training of structron, with the usual beam replaced by exact search of first order."""
    from structron import Tagger
    from structron.fit import Learning

    kind, _, rest = learner.partition(":")
    name = learner if kind == "perceptron" else f"{kind}:{rest + ',' if rest else ''}c2={c2}"
    search: dict[str, Any] = {"search": "exact", "order": 1, "templates": ["t[-1]"], "constraints": "none"}
    plan = Tagger(learner=name, update="standard", **search).plan(*train)
    learning = Learning.start(plan.task, plan.recipe)
    corpus = learning.pack(plan.examples.xs, plan.examples.ys)
    learning.examples = corpus.sentences
    began = time.process_time()
    trainer = learning.learner(corpus)
    curve, seconds, rng = (
        Curve(name=f"structron {name}"),
        time.process_time() - began,
        np.random.default_rng(0),
    )
    for epoch in range(1, epochs + 1):
        order = rng.permutation(corpus.sentences).astype(np.uint32)
        began = time.process_time()
        trainer.run(order)
        seconds += time.process_time() - began
        if epoch % every and epoch != epochs:
            continue
        model = learning.model()
        value = None
        if kind == "crf":
            likely = model.ask(train[0], lambda engine, xs, *_: engine.log_likelihoods(xs, train[1]))
            weights = model.rows.weights.astype(float)
            value = float(c2 * (weights @ weights) - sum(likely))
        curve.point(seconds, value, accuracy(model.predict(test[0]), test[1]))
        curve["points"][-1]["passes"] = epoch
    return curve


def theirs(algorithm: str, passes: int, train: Any, test: Any, c2: float, dense: bool) -> Curve:
    """Return a training of CRFsuite."""
    import pycrfsuite

    from structron.adapters.crfsuite import load as load_model

    clock: list[float] = []

    class Trainer(pycrfsuite.BaseTrainer):  # type: ignore[misc]
        def message(self, message: str) -> None:
            if "Seconds required for this iteration" in message or message.startswith(("epsilon:", "eta:")):
                clock.append(time.process_time())

    trainer = Trainer(algorithm, verbose=False)
    more = {"c1": 0.0} if algorithm == "lbfgs" else {}
    trainer.set_params(
        {
            "c2": c2,
            "max_iterations": passes,
            "feature.possible_states": dense,
            "feature.possible_transitions": dense,
            **more,
        }
    )
    for x, y in zip(*train):
        trainer.append(x, y)
    began = time.process_time()
    with tempfile.TemporaryDirectory() as scratch:
        trainer.train(f"{scratch}/model")
        seconds = time.process_time() - began
        tagger = load_model(f"{scratch}/model")
    made = sum(1 for _ in pairwise(clock))
    curve = Curve(name=f"CRFsuite {algorithm}{', all features' if dense else ''}", passes=made)
    curve.point(seconds, objective(tagger, train, c2), accuracy(tagger.predict(test[0]), test[1]))
    return curve


def measure(task: Task, limit: int | None, c2: float, dense: bool, epochs: int | None) -> Iterator[Curve]:
    """Yield all systems on one task."""
    train, dev = load(task, "train", limit), load(task, "dev" if task.dev else "test")
    assert train is not None and dev is not None
    parts = [ready(each) for each in (train, dev)]
    for algorithm, passes in THEIRS.items():
        yield theirs(algorithm, passes, *parts, c2, False)
    if dense:
        yield theirs("l2sgd", THEIRS["l2sgd"], *parts, c2, True)
    for learner, usual in OURS.items():
        yield ours(learner, epochs or usual, *parts, c2, 5)
    if dense:
        yield ours("crf:all", epochs or OURS["crf"], *parts, c2, 5)


def ready(split: Split) -> tuple[list[Any], list[list[str]]]:
    return [sentence_features(tokens) for tokens in split.inputs], split.gold


def markdown(results: dict[str, Any]) -> str:
    made = results["about"]
    out = [
        "# CRFs beside CRFsuite",
        "",
        f"{made['date']} · {made['machine']} · Python {made['python']}  ",
        f"`{made['command']}` · {made['times']}",
        "",
        "The same features and sentences, one thread, first order, exact search. The objective is",
        f"c2 |w|² - Σ log p(gold) with c2 = {results['c2']}, on the training part; the score is the share",
        "of tokens with the right label on the part that is named. CPU time is that of learning.",
    ]
    for task in results["tasks"].values():
        body = [["system", "passes", "CPU s", "objective", task["score"]]]
        for curve in task["curves"]:
            for point in curve["points"]:
                value = "" if point["objective"] is None else f"{point['objective']:,.1f}"
                passes = curve.get("passes") or point.get("passes", "")
                body.append(
                    [curve["name"], str(passes), f"{point['cpu_s']:.1f}", value, f"{point['score']:.2f}"]
                )
        out += ["", f"## {task['title']}, {task['sentences']:,} sentences", "", *report.table(body)]
    return "\n".join(out)


def main() -> int:
    parser = argparse.ArgumentParser(description="CRFs beside CRFsuite.")
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=["upos", "chunk"])
    parser.add_argument("--sentences", type=int, help="only the first so many of each training part")
    parser.add_argument("--c2", type=float, default=C2, help="the weight of |w|² (default 1)")
    parser.add_argument("--epochs", type=int, help="passes of structron, in place of its usual ones")
    parser.add_argument("--all", action="store_true", help="also with weights for all labels of all features")
    parser.add_argument("--out", type=Path, help="write OUT.json and OUT.md")
    args = parser.parse_args()
    tasks = [TASKS[name] for name in args.tasks]
    try:
        check(tasks)
    except DataMissing as message:
        print(message, file=sys.stderr)
        return 2
    made = report.about(1, False)
    made["command"] = made["command"].replace("run.py", "crf.py")
    results: dict[str, Any] = {"about": made, "c2": args.c2, "tasks": {}}
    out = args.out or HERE / "results" / "crf"
    for task in tasks:
        train = load(task, "train", args.sentences)
        assert train is not None
        found = results["tasks"][task.name] = {
            "title": task.title,
            "score": "dev" if task.dev else "test",
            "sentences": len(train.gold),
            "curves": [],
        }
        for curve in measure(task, args.sentences, args.c2, args.all, args.epochs):
            found["curves"].append(curve)
            print(curve["name"], curve["points"][-1], file=sys.stderr, flush=True)
            out.with_suffix(".json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
            out.with_suffix(".md").write_text(markdown(results) + "\n", encoding="utf-8")
    print(markdown(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
