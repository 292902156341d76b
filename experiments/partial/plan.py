"""Training on a share of the labels, beside dropping sentences instead: which trainings are made.

Labels are known at random words, or where a model is least sure, word by word; or whole sentences are known
and all others dropped, at random or by the rule of `structron select`. What a model chooses is half of the
labels: the other half is random, and the model has learned from it. The number of labels is the same in all.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from corpora import QUICK_SENTENCES, find
from record import checksum_of, signature_of

from structron import Tagger
from structron.io import read

SHARES = (2, 10, 50)
SEEDS, EPOCHS = 3, 5
WAYS = ("sentences", "selected", "words", "unsure")
CORPORA = {
    "ewt": ("EWT, UPOS", "ud/UD_English-EWT/en_ewt-ud-{}.conllu.gz", ("train", "test")),
    "wnut": (
        "WNUT 2017, F1 of names",
        "ner/wnut17/{}",
        ("wnut17train.conll.gz", "emerging.test.annotated.gz"),
    ),
}
Part = tuple[list[list[str]], list[list[Any]]]


@cache
def load(name: str, quick: bool) -> tuple[Part, Part]:
    """Return words and labels of training and test part."""
    _, pattern, parts = CORPORA[name]
    train, test = (_part(pattern.format(part), quick) for part in parts)
    return train, test


def _part(name: str, quick: bool) -> Part:
    sentences = [s for s in read(str(find(name))) if len(s)][: QUICK_SENTENCES if quick else None]
    target = sentences[0].format.target
    assert target is not None
    return [s.words() for s in sentences], [s.column(target) for s in sentences]


@dataclass(frozen=True)
class Known:
    """One training: one label in so many is known, and which ones."""

    corpus: str
    way: str  # one of WAYS; "all" with one label in one
    one_in: int
    seed: int
    quick: bool = False

    def checksum(self) -> str:
        return checksum_of(load(self.corpus, self.quick))

    def measure(self) -> dict[str, Any]:
        (X, y), test = load(self.corpus, self.quick)
        count = sum(map(len, y))
        X, y = known(self.way, X, y, self.one_in, self.seed)
        began = time.process_time()
        tagger = learned(X, y, self.seed)
        return {
            "run": asdict(self),
            "signature": signature_of(tagger.recipe.hash(), self.checksum(), self.seed),
            "known": sum(label is not None for labels in y for label in labels),
            "of": count,
            "cpu": round(time.process_time() - began, 2),
            "test": round(100 * tagger.score(*test), 4),
        }

    def line(self, entry: dict[str, Any]) -> str:
        return (
            f"{self.corpus} {self.way} one in {self.one_in} seed {self.seed}: test {entry['test']:.2f}, "
            f"{entry['cpu']:.1f} CPU s"
        )


def learned(X: Sequence[Any], y: Sequence[Any], seed: int) -> Tagger:
    """Return a tagger with the settings that all runs have."""
    return Tagger(partial=True, epochs=EPOCHS, search="beam:4+within=40", trials=0, seed=seed).fit(X, y)


def known(way: str, X: Sequence[Any], y: Sequence[Any], of: int, seed: int) -> tuple[list[Any], list[Any]]:
    """Return what there is to learn from when one label in so many is known."""
    if way == "words":
        return [*X], at_random(y, of, seed)
    if way == "unsure":
        return [*X], where_unsure(X, y, of, seed)
    kept = range(len(y))
    if way == "sentences":
        kept = sentences(y, sum(map(len, y)) / of, seed)
    elif way == "selected":
        kept = selected(X, y, of, seed)
    return [X[i] for i in kept], [y[i] for i in kept]


def at_random(y: Sequence[Any], of: int, seed: int) -> list[Any]:
    """Return labels of which one in so many is left, at random."""
    rng = random.Random(seed)
    return [[label if rng.random() < 1 / of else None for label in labels] for labels in y]


def sentences(y: Sequence[Any], wanted: float, seed: int) -> list[int]:
    """Return random sentences with so many words."""
    rng = random.Random(seed)
    return _until(rng.sample(range(len(y)), len(y)), y, wanted)


def selected(X: Sequence[Any], y: Sequence[Any], of: int, seed: int) -> list[int]:
    """Return random sentences with half of the labels, and those of which their model is least sure."""
    wanted = sum(map(len, y)) / of
    first = sentences(y, wanted / 2, seed)
    rest = sorted({*range(len(y))} - {*first})
    sure = learned([X[i] for i in first], [y[i] for i in first], seed).margins([X[i] for i in rest])
    order = sorted(range(len(rest)), key=lambda i: (sure[i].mean, i))
    left = wanted - sum(len(y[i]) for i in first)
    return sorted([*first, *_until([rest[i] for i in order], y, left)])


def where_unsure(X: Sequence[Any], y: Sequence[Any], of: int, seed: int) -> list[Any]:
    """Return half of as many labels at random, and those of which their model is least sure."""
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


def _until(order: Sequence[int], y: Sequence[Any], wanted: float) -> list[int]:
    found = []
    for i in order:
        if wanted <= 0:
            break
        found.append(i)
        wanted -= len(y[i])
    return sorted(found)


KIND = Known


def runs(quick: bool = False) -> dict[str, list[Known]]:
    """Return all runs, by the name of the experiment."""
    seeds = range(1 if quick else SEEDS)
    return {
        corpus: [Known(corpus, "all", 1, seed, quick) for seed in seeds]
        + [Known(corpus, way, of, seed, quick) for of in SHARES for way in WAYS for seed in seeds]
        for corpus in CORPORA
    }
