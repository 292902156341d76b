"""Classifiers on newsgroups and names: ``python benchmarks/classification.py``, with ``$STRUCTRON_DATA``.

Every system starts from strings and ends with labels, in a process of its own. The systems take turns, round
by round, so that a busy machine is busy for all; figures are the medians of CPU times, and ratios are between
these. The defaults of structron were chosen on the last fifth of each group's training messages, among six
settings; the peers have their own defaults on tf-idf of words, and none of them was tuned.
Writes ``results/classification.json`` and ``results/classification.md``.
"""

from __future__ import annotations

import gzip
import json
import lzma
import os
import pickle
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
ROUNDS = int(os.environ.get("ROUNDS", "3"))
Data = tuple[list[str], list[str], list[str], list[str]]


def newsgroups(folder: Path) -> Data:
    """Return training and test messages by date, with their groups."""
    parts = []
    for part in ("train", "test"):
        with lzma.open(
            folder / "newsgroups" / f"20news-bydate-{part}.jsonl.xz", "rt", encoding="utf-8"
        ) as file:
            rows = [json.loads(line) for line in file]
        parts += [[row["text"] for row in rows], [row["group"] for row in rows]]
    return parts[0], parts[1], parts[2], parts[3]


def names(folder: Path) -> Data:
    """Return first names, every fifth for test."""
    X: list[str] = []
    y: list[str] = []
    for label in ("female", "male"):
        with gzip.open(folder / "names" / f"{label}.txt.gz", "rt", encoding="utf-8") as file:
            listed = [line.strip() for line in file if line.strip() and not line.startswith("#")]
        X += listed
        y += [label] * len(listed)
    test = [i % 5 == 0 for i in range(len(X))]

    def of(values: list[str], wanted: bool) -> list[str]:
        return [value for value, held in zip(values, test) if held == wanted]

    return of(X, False), of(y, False), of(X, True), of(y, True)


DATA: dict[str, Callable[[Path], Data]] = {"newsgroups": newsgroups, "names": names}


def structron_system(task: str) -> Any:
    """Return the usual settings for texts, in half as many epochs; names are read by characters."""
    from structron import Classifier

    return Classifier(templates="characters") if task == "names" else Classifier(epochs=5)


def scikit_learn(model: str) -> Callable[[str], Any]:
    """Return tf-idf with sub-linear counts and a linear model of scikit-learn."""

    def make(task: str) -> Any:
        from sklearn import linear_model, svm
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.pipeline import make_pipeline

        kind = getattr(linear_model, model, None) or getattr(svm, model)
        by = {"analyzer": "char_wb", "ngram_range": (1, 5)} if task == "names" else {}
        return make_pipeline(TfidfVectorizer(sublinear_tf=True, **by), kind())

    return make


class VowpalWabbit:
    """One against all with words as features, through its Python task_cli."""

    def __init__(self, task: str) -> None:
        self.characters = task == "names"
        self.passes = 5

    def line(self, text: str) -> str:
        """Return the features of a text as Vowpal Wabbit reads them."""
        import re

        if self.characters:
            padded = f" {text.lower()} ".replace(" ", "_")
            return " ".join(padded[i : i + n] for n in range(1, 6) for i in range(len(padded) - n + 1))
        return " ".join(re.findall(r"\w+", text.lower()))

    def fit(self, X: list[str], y: list[str]) -> VowpalWabbit:
        """Make passes over all examples."""
        import random

        import vowpalwabbit

        self.classes = sorted(set(y))
        number = {label: i + 1 for i, label in enumerate(self.classes)}
        self.model = vowpalwabbit.Workspace(
            f"--oaa {len(self.classes)} -b 22 --quiet --loss_function logistic"
        )
        lines = [f"{number[label]} | {self.line(text)}" for text, label in zip(X, y)]
        for seed in range(self.passes):
            random.Random(seed).shuffle(lines)
            for line in lines:
                self.model.learn(line)
        return self

    def predict(self, X: list[str]) -> list[str]:
        """Predict one after the other."""
        return [self.classes[self.model.predict(f"| {self.line(text)}") - 1] for text in X]

    def save(self, path: Path) -> None:
        """Save its own file."""
        self.model.save(str(path))


SYSTEMS: dict[str, Callable[[str], Any]] = {
    "structron": structron_system,
    "scikit-learn Perceptron": scikit_learn("Perceptron"),
    "scikit-learn SGDClassifier": scikit_learn("SGDClassifier"),
    "scikit-learn PassiveAggressive": scikit_learn("PassiveAggressiveClassifier"),
    "scikit-learn LinearSVC": scikit_learn("LinearSVC"),
    "Vowpal Wabbit": VowpalWabbit,
}


def peak_mb() -> float:
    """Return the largest resident set of this process so far, in MB of 10^6 bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def measure(task: str, name: str, folder: Path) -> dict[str, Any]:
    """Train, predict and save once, in this process."""
    warnings.filterwarnings("ignore")
    X, y, test, gold = DATA[task](folder)
    try:
        system = SYSTEMS[name](task)
        if name == "Vowpal Wabbit":
            import vowpalwabbit  # noqa: F401
    except ImportError as error:
        return {"unavailable": str(error)}
    # Whatever a library does on its first call is not its training.
    SYSTEMS[name](task).fit(X[:50] + X[-50:], y[:50] + y[-50:])
    before = peak_mb()
    begun = time.process_time()
    system.fit(X, y)
    trained = time.process_time() - begun
    peak = peak_mb() - before
    begun = time.process_time()
    found = system.predict(test)
    predicted = time.process_time() - begun
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "model"
        if hasattr(system, "save"):
            system.save(path)
        else:
            path.write_bytes(pickle.dumps(system))
        size = path.stat().st_size
    return {
        "accuracy": sum(a == b for a, b in zip(found, gold)) / len(gold),
        "train_seconds": trained,
        "predict_seconds": predicted,
        "peak_mb": peak,
        "model_mb": size / 1e6,
    }


def main() -> None:
    """Run all systems in turns, and write the table."""
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for task in DATA:
        for _ in range(ROUNDS):
            for name in SYSTEMS:
                out = subprocess.run(
                    [sys.executable, __file__, task, name], check=True, capture_output=True, text=True
                )
                found.setdefault(task, {}).setdefault(name, []).append(
                    json.loads(out.stdout.splitlines()[-1])
                )
                print(task, name, found[task][name][-1], flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "classification.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "classification.md").write_text(table(found), encoding="utf-8")


def table(found: dict[str, dict[str, list[dict[str, Any]]]]) -> str:
    """Return the figures as a table; times are medians, with their ratio to structron's in brackets."""
    lines = [
        "# Classification",
        "",
        "Made by `python benchmarks/classification.py`: CPU seconds from strings.",
    ]
    for task, systems in found.items():
        lines += ["", f"## {task}", ""]
        lines += [
            "| system | accuracy | train s | predict s | memory MB | model MB |",
            "|---|---|---|---|---|---|",
        ]
        own = systems["structron"]
        for name, rounds in systems.items():
            if "unavailable" in rounds[0]:
                lines.append(f"| {name} | not installed | | | | |")
                continue
            cells = [f"{100 * statistics.median(each['accuracy'] for each in rounds):.2f}"]
            for figure in ("train_seconds", "predict_seconds"):
                value = statistics.median(each[figure] for each in rounds)
                ratio = value / statistics.median(each[figure] for each in own)
                cells.append(f"{value:.2f} ({ratio:.1f}×)")
            cells += [f"{statistics.median(each[f] for each in rounds):.1f}" for f in ("peak_mb", "model_mb")]
            lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(measure(sys.argv[1], sys.argv[2], Path(os.environ["STRUCTRON_DATA"]))))
    else:
        main()
