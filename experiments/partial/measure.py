"""What is lost when only a share of the labels is known, beside dropping sentences instead.

Labels are left at random or where a model is least sure (the rule of `structron select`), word by word; or
whole sentences are left and all others dropped. The number of labels is the same in all three.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from experiments.corpora import find
from structron import Tagger
from structron.io import read

HERE = Path(__file__).parent
SHARES = (2, 10, 50)
CORPORA = {
    "EWT, UPOS": ("ud/UD_English-EWT/en_ewt-ud-{}.conllu.gz", ("train", "dev", "test"), None),
    "WNUT, names": (
        "ner/wnut17/{}",
        ("wnut17train.conll.gz", "emerging.dev.conll.gz", "emerging.test.annotated.gz"),
        None,
    ),
}
Labels = list[list[Any]]


def corpus(name: str) -> list[tuple[list[list[str]], Labels]]:
    """Return words and labels of the three parts."""
    pattern, parts, target = CORPORA[name]
    found = []
    for part in parts:
        sentences = [s for s in read(str(find(pattern.format(part)))) if len(s)]
        column = target or sentences[0].format.target
        found.append(([s.words() for s in sentences], [s.column(column) for s in sentences]))
    return found


def learned(X: Sequence[Any], y: Labels, seed: int) -> Tagger:
    """Return a tagger with the settings that all runs have."""
    return Tagger(partial=True, epochs=5, search="beam:4+within=40", trials=0, seed=seed).fit(X, y)


def at_random(y: Labels, of: int, seed: int) -> Labels:
    """Leave one label in so many, at random."""
    rng = random.Random(seed)
    return [[label if rng.random() < 1 / of else None for label in labels] for labels in y]


def whole(y: Labels, of: int, seed: int) -> list[int]:
    """Return sentences that have one word in so many."""
    rng = random.Random(seed)
    order = rng.sample(range(len(y)), len(y))
    wanted, found = sum(map(len, y)) / of, []
    for i in order:
        if wanted <= 0:
            break
        found.append(i)
        wanted -= len(y[i])
    return sorted(found)


def where_unsure(X: Sequence[Any], y: Labels, of: int, seed: int) -> Labels:
    """Leave half of as many at random; then those of which a model of these is least sure."""
    half = at_random(y, 2 * of, seed)
    margins = learned(X, half, seed).margins(X)
    places = sorted(
        (margin, i, j)
        for i, each in enumerate(margins)
        for j, margin in enumerate(each.parts)
        if half[i][j] is None
    )
    for _, i, j in places[: sum(map(len, y)) // (2 * of)]:
        half[i][j] = y[i][j]
    return half


def runs(name: str, seed: int) -> Any:
    (X, y), _, test = corpus(name)
    count = sum(map(len, y))

    def record(how: str, of: int, X: Sequence[Any], y: Labels) -> dict[str, Any]:
        began = time.process_time()
        tagger = learned(X, y, seed)
        known = sum(label is not None for labels in y for label in labels)
        cpu = time.process_time() - began
        score = tagger.score(*test)
        return {
            "corpus": name, "labels": how, "one in": of, "seed": seed, "known": known, "of": count,
            "test": round(100 * score, 2), "cpu": round(cpu, 1),
        }  # fmt: skip

    yield record("all", 1, X, y)
    for of in SHARES:
        kept = whole(y, of, seed)
        yield record("whole sentences", of, [X[i] for i in kept], [y[i] for i in kept])
        yield record("words at random", of, X, at_random(y, of, seed))
        yield record("words least sure of", of, X, where_unsure(X, y, of, seed))


def main() -> None:
    seeds = [int(seed) for seed in sys.argv[1:]] or [0]
    out = HERE / "results.jsonl"
    known = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    for seed in seeds:
        for name in CORPORA:
            if any(each["corpus"] == name and each["seed"] == seed for each in known):
                continue
            for line in runs(name, seed):
                print(line, flush=True)
                with out.open("a") as file:
                    file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
