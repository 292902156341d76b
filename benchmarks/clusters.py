"""What word clusters are worth: `python benchmarks/clusters.py CLUSTERS [--tasks upos ...] [--test]`.

Each task is learned without clusters and with those of the file, all other settings being the defaults.
The epoch is chosen on the dev part; where there is none, every tenth training sentence is held out.
`--test` looks at the test part too. Figures are added to `results/clusters.json`. `--peer ap` (or `lbfgs`)
measures CRFsuite in our place, with the features of `features.py`, and with the clusters those that our
templates look at; it has no dev part and is always scored on test.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from corpora import CONLL2000, EWT, folder, load, score
from corpora import TASKS as CORPORA
from features import sentence_features

from structron import Parser, Tagger
from structron.features.clusters import WordClusters
from structron.fit.data.word_lists import clusters_of
from structron.io import Sentence, read

OUT = Path(__file__).resolve().parent / "results" / "clusters.json"
WNUT = (
    "ner/wnut17/wnut17train.conll.gz",
    "ner/wnut17/emerging.dev.conll.gz",
    "ner/wnut17/emerging.test.annotated.gz",
)
Parts = tuple[list[Sentence], list[Sentence], list[Sentence]]


def treebank() -> Parts:
    """Return EWT as it is."""
    train, dev, test = (list(read(folder() / EWT(part))) for part in ("train", "dev", "test"))
    return train, dev, test


def chunks() -> Parts:
    """Return CoNLL-2000, of whose training part every tenth sentence is held out."""
    train, test = (list(read(folder() / CONLL2000(part), format="columns")) for part in ("train", "test"))
    return [s for i, s in enumerate(train) if i % 10 != 9], train[9::10], test


def emerging() -> Parts:
    """Return WNUT-17 as it is."""
    train, dev, test = (list(read(folder() / name, format="columns")) for name in WNUT)
    return train, dev, test


def wikigold() -> Parts:
    """Return WikiGold, which has no parts: the first 70 % are learned from, 15 % are dev, 15 % are test."""
    every = list(read(folder() / "ner/wikigold/wikigold.conll.txt.gz", format="columns"))
    a, b = len(every) * 70 // 100, len(every) * 85 // 100
    return every[:a], every[a:b], every[b:]


TASKS: dict[str, tuple[Callable[[], Parts], Callable[..., Any]]] = {
    "upos": (treebank, lambda **more: Tagger(target="upos", **more)),
    "xpos": (treebank, lambda **more: Tagger(target="xpos", **more)),
    "chunk": (chunks, Tagger),
    "wnut17": (emerging, Tagger),
    "wikigold": (wikigold, Tagger),
    "greedy": (treebank, lambda **more: Parser(templates="fast", search="greedy", **more)),
    "parsing": (treebank, Parser),
}


def measure(task: str, clusters: str | None, seed: int, *, on_test: bool) -> dict[str, Any]:
    """Return one training; of a task that ends in -all on dev too, with no epoch chosen."""
    parts, make = TASKS[task.removesuffix("-all")]
    train, dev, test = parts()
    begin = time.process_time()
    made = make(clusters=clusters or "none", seed=seed)
    if task.endswith("-all"):
        made.fit([*train, *dev])
    else:
        made.fit(train, dev=dev)
    scores = [epoch.dev_score for epoch in made.history_ if epoch.dev_score is not None]
    found: dict[str, Any] = {
        "task": task,
        "clusters": None if clusters is None else Path(clusters).name,
        "seed": seed,
        "dev": round(100 * max(scores), 2) if scores else None,
        "cpu_s": round(time.process_time() - begin, 1),
    }
    if on_test:
        found["test"] = round(100 * made.score(test), 2)
    return found


def seen(words: list[str], clusters: WordClusters) -> list[list[str]]:
    """Return the clusters that our templates look at, as features of each word."""
    paths = [clusters.path(word) for word in words]
    found = []
    for i, path in enumerate(paths):
        near = [(at, paths[i + at]) for at in range(-2, 3) if 0 <= i + at < len(words)]
        own = [] if path is None else [f"cluster({n})={path[:n]}" for n in (4, 6, 10)]
        found.append([f"cluster[{at}]={other}" for at, other in near if other is not None] + own)
    return found


def measure_peer(task: str, clusters: str | None, algorithm: str) -> dict[str, Any]:
    """Return CRFsuite's score on test, learned from the training part."""
    import pycrfsuite

    known = None if clusters is None else clusters_of(clusters)
    train, test = (load(CORPORA[task], part) for part in ("train", "test"))
    assert train is not None and test is not None

    def features(tokens: list[Any]) -> list[list[str]]:
        found = sentence_features(tokens)
        if known is None:
            return found
        words = [token if isinstance(token, str) else token[0] for token in tokens]
        return [a + b for a, b in zip(found, seen(words, known))]

    begin = time.process_time()
    trainer = pycrfsuite.Trainer(algorithm, verbose=False)
    trainer.set_params({"max_iterations": 10} if algorithm == "ap" else {"c1": 0.0, "c2": 1.0})
    for tokens, labels in zip(train.inputs, train.gold):
        trainer.append(features(tokens), labels)
    with tempfile.TemporaryDirectory() as scratch:
        trainer.train(f"{scratch}/model")
        spent = time.process_time() - begin
        tagger = pycrfsuite.Tagger()
        tagger.open(f"{scratch}/model")
        guess = [tagger.tag(features(tokens)) for tokens in test.inputs]
    return {
        "task": task,
        "system": f"crfsuite {algorithm}",
        "clusters": None if clusters is None else Path(clusters).name,
        "seed": 0,
        "dev": None,
        "cpu_s": round(spent, 1),
        "test": round(score(CORPORA[task], test.gold, guess), 2),
    }


def main() -> None:
    """Measure, and keep what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clusters")
    parser.add_argument("--tasks", nargs="+", default=list(TASKS), choices=[*TASKS, "chunk-all"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--test", action="store_true")
    parser.add_argument("--peer", choices=("ap", "lbfgs"))
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    for task in given.tasks:
        for clusters in (None, given.clusters):
            if given.peer:
                found = measure_peer(task, clusters, given.peer)
            else:
                found = measure(task, clusters, given.seed, on_test=given.test)
            print(json.dumps(found), file=sys.stderr, flush=True)
            known = json.loads(given.out.read_text()) if given.out.exists() else []
            names = ("task", "system", "clusters", "seed")
            same = [each for each in known if all(each.get(n) == found.get(n) for n in names)]
            known = [each for each in known if each not in same]
            given.out.write_text(json.dumps([*known, found], indent=1) + "\n")


if __name__ == "__main__":
    main()
