"""Models of others on structron's engine: whether they give the same tags, and how fast.

`python benchmarks/adapters.py [--quick] [--out FILE]` trains CRFsuite on CoNLL-2000 chunks and the averaged
perceptron tagger of NLTK on XPOS of English-EWT, converts both, and tags the test sets with each. Times are
CPU times of this process, the median of rounds in which the two take turns; each round begins with a newly
loaded model and new str objects.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import nltk
import pycrfsuite
from corpora import TASKS, Split, Task, fresh
from corpora import load as load_part
from features import sentence_features

from structron.adapters.crfsuite import load
from structron.adapters.nltk_perceptron import NltkPerceptron

Tagging = Callable[[], tuple[float, Any]]


def in_turns(systems: dict[str, Tagging], rounds: int) -> tuple[dict[str, float], dict[str, Any]]:
    """Return the median seconds of each system, and what it answered last."""
    times: dict[str, list[float]] = {name: [] for name in systems}
    answers = {}
    for _ in range(rounds):
        for name, tagging in systems.items():
            seconds, answers[name] = tagging()
            times[name].append(seconds)
    return {name: statistics.median(own) for name, own in times.items()}, answers


def part(task: Task, name: str) -> Split:
    found = load_part(task, name)
    assert found is not None
    return found


def clocked(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.process_time()
    found = work()
    return time.process_time() - began, found


def crfsuite(folder: Path, quick: bool, rounds: int) -> list[str]:
    task = TASKS["chunk"]
    train, test = part(task, "train"), part(task, "test")
    path = folder / "m.crfsuite"
    trainer = pycrfsuite.Trainer("lbfgs", {"c2": 1.0, "max_iterations": 20 if quick else 60}, verbose=False)
    for tokens, labels in list(zip(train.inputs, train.gold))[: 500 if quick else None]:
        trainer.append(sentence_features(tokens), labels)
    trainer.train(str(path))

    def peer(features: bool) -> tuple[float, Any]:
        tagger = pycrfsuite.Tagger()
        tagger.open(str(path))
        words = fresh(test.inputs)
        if features:
            return clocked(lambda: [tagger.tag(sentence_features(x)) for x in words])
        ready = [sentence_features(x) for x in words]
        return clocked(lambda: [tagger.tag(x) for x in ready])

    def own(features: bool) -> tuple[float, Any]:
        tagger = load(path)
        tagger.predict([[["bias"]]])  # the engine is made
        words = fresh(test.inputs)
        if features:
            return clocked(lambda: tagger.predict([sentence_features(x) for x in words]))
        ready = [sentence_features(x) for x in words]
        return clocked(lambda: tagger.predict(ready))

    lines = []
    for features, what in ((False, "from features"), (True, "from words, features in Python")):
        seconds, answers = in_turns(
            {"CRFsuite": partial(peer, features), "structron": partial(own, features)}, rounds
        )
        lines.append(row(f"CRFsuite, CoNLL-2000 chunks, {what}", "CRFsuite", seconds, answers, test.tokens))
    return lines


def perceptron(quick: bool, rounds: int) -> list[str]:
    task = TASKS["xpos"]
    train, test = part(task, "train"), part(task, "test")
    random.seed(0)
    peer = nltk.tag.PerceptronTagger(load=False)
    pairs = [list(zip(words, tags)) for words, tags in zip(train.inputs, train.gold)]
    peer.train(pairs[: 500 if quick else None], nr_iter=2 if quick else 5)
    found = NltkPerceptron.of(peer)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m"
        found.save(path)

        def own() -> tuple[float, Any]:
            tagger = NltkPerceptron.load(path)
            tagger.tag(["a"])
            words = fresh(test.inputs)
            return clocked(lambda: tagger.tag_sents(words))

        def theirs() -> tuple[float, Any]:
            words = fresh(test.inputs)
            return clocked(lambda: peer.tag_sents(words))

        seconds, answers = in_turns({"NLTK": theirs, "structron": own}, rounds)
    return [row("NLTK's perceptron tagger, EWT XPOS", "NLTK", seconds, answers, test.tokens)]


def row(what: str, peer: str, seconds: dict[str, float], answers: dict[str, Any], tokens: int) -> str:
    """Return one line of the table; a sentence with another tag is counted."""
    differ = sum(a != b for a, b in zip(answers[peer], answers["structron"]))
    speeds = [tokens / seconds[name] for name in (peer, "structron")]
    ratio = f"{speeds[1] / speeds[0]:.1f}"
    return f"| {what} | {len(answers[peer]):,} | {differ} | {speeds[0]:,.0f} | {speeds[1]:,.0f} | {ratio} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lines = crfsuite(Path(folder), chosen.quick, chosen.rounds)
    lines += perceptron(chosen.quick, chosen.rounds)
    head = (
        "| model and test set | sentences | with another tag | peer, tokens/s | structron, tokens/s | ratio |"
    )
    text = "\n".join([head, "|---|---:|---:|---:|---:|---:|", *lines])
    print(text)
    if chosen.out is not None:
        chosen.out.write_text(f"{(__doc__ or '').strip()}\n\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
