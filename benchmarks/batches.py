"""What a batch costs in accuracy: one example at a time, and batches by either rule, on development data.

`python benchmarks/batches.py [ewt chunks names trees] [--seeds 2]` prints a line of JSON for each training
and a table at the end. EWT: UPOS, the first 3,000 sentences; CoNLL-2000 chunks, 4,000 sentences, and
WikiGold, each with every tenth sentence held out; trees: EWT, 1,500 sentences, templates `fast`. Scores are
those of the last epoch.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RULES: list[tuple[str, int, str]] = [
    ("one at a time", 1, ""),
    ("16, mean of all", 16, ",mean"),
    ("16, each feature's mean", 16, ""),
    ("64, each feature's mean", 64, ""),
]
MARGIN = {"trees": "perceptron:margin=30"}
EPOCHS = {"trees": 5}


def held_out(sentences: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return nine tenths, and every tenth."""
    return [s for i, s in enumerate(sentences) if i % 10 != 9], sentences[9::10]


def corpora() -> dict[str, Callable[[], tuple[list[Any], list[Any]]]]:
    sys.path.insert(0, str(HERE.parent / "experiments"))
    from corpora import find

    from structron.io import read

    def ewt(train: int, dev: int) -> tuple[list[Any], list[Any]]:
        parts = [
            list(read(find(f"ud/UD_English-EWT/en_ewt-ud-{name}.conllu.gz"))) for name in ("train", "dev")
        ]
        return parts[0][:train], parts[1][:dev]

    def columns(name: str, most: int) -> tuple[list[Any], list[Any]]:
        return held_out(list(read(find(name), format="columns"))[:most])

    return {
        "ewt": lambda: ewt(3000, 2001),
        "chunks": lambda: columns("chunking/conll2000/train.txt.gz", 4000),
        "names": lambda: columns("ner/wikigold/wikigold.conll.txt.gz", 10_000),
        "trees": lambda: ewt(1500, 1000),
    }


def trained(
    name: str, data: tuple[list[Any], list[Any]], batch: int, option: str, seed: int
) -> dict[str, Any]:
    from structron import Parser, Tagger

    learner = MARGIN.get(name, "perceptron:margin=20") + option
    more: dict[str, Any] = {"names": {"templates": "ner"}, "trees": {"templates": "fast"}}.get(name, {})
    estimator = (Parser if name == "trees" else Tagger)(
        batch=batch, learner=learner, epochs=EPOCHS.get(name, 10), seed=seed, **more
    )
    began = time.process_time()
    estimator.fit(data[0], dev=data[1])
    last = estimator.history_[-1]
    return {
        "corpus": name, "batch": batch, "learner": learner, "seed": seed,
        "dev": round(100 * (last.dev_score or 0.0), 2), "cpu_seconds": round(time.process_time() - began, 1),
    }  # fmt: skip


def main() -> None:
    warnings.simplefilter("ignore")
    given = sys.argv[1:]
    seeds = 2
    if "--seeds" in given:
        at = given.index("--seeds")
        seeds = int(given[at + 1])
        del given[at : at + 2]
    known = corpora()
    table = []
    for name in given or list(known):
        data = known[name]()
        for rule, batch, option in RULES:
            found = [trained(name, data, batch, option, seed) for seed in range(seeds)]
            for each in found:
                print(json.dumps(each), flush=True)
            table.append((name, rule, sum(each["dev"] for each in found) / seeds))
    print("| corpus | batch | dev |\n|---|---|---:|")
    for name, rule, score in table:
        print(f"| {name} | {rule} | {score:.2f} |")


if __name__ == "__main__":
    main()
