"""The learners of the toolkit on real data: three corpora, and a run of one learner on one of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np
from corpora import QUICK_SENTENCES, find
from record import checksum_of, signature_of

from structron import Tagger
from structron.io import read

Part = tuple[list[Any], list[list[str]]]


@dataclass(frozen=True)
class Corpus:
    """What is read, and how it is searched: the same for all learners."""

    title: str
    score: str
    templates: str | Sequence[str]
    order: int
    search: str
    update: str


CORPORA = {
    "ewt": Corpus("UD English-EWT, UPOS", "accuracy", "pos", 2, "beam:4", "max_violation"),
    "chunks": Corpus("CoNLL-2000 chunks", "F1", "chunk", 2, "beam:4", "max_violation"),
    "letters": Corpus("handwritten words", "accuracy", ("bias", "t[-1]"), 1, "exact", "standard"),
}


@cache
def load(name: str, quick: bool = False) -> dict[str, Part]:
    """Train, dev and test part of a corpus; `quick` takes the first few hundred sentences of each."""
    parts = {"ewt": _ewt, "chunks": _chunks, "letters": _letters, "synthetic": _synthetic}[name]()
    few = QUICK_SENTENCES if quick else None
    return {part: (xs[:few], ys[:few]) for part, (xs, ys) in parts.items()}


def _ewt() -> dict[str, Part]:
    parts: dict[str, Part] = {}
    for part in ("train", "dev", "test"):
        sentences = list(read(find(f"ud/UD_English-EWT/en_ewt-ud-{part}.conllu.gz")))
        parts[part] = [s.words() for s in sentences], [s.column("upos") for s in sentences]
    return parts


def _chunks() -> dict[str, Part]:
    """Return the corpus; it has no dev part, so every tenth training sentence is held out."""
    made: dict[str, Part] = {}
    for part in ("train", "test"):
        sentences = list(read(find(f"chunking/conll2000/{part}.txt.gz"), format="columns"))
        tokens = [list(zip(s.words(), s.column(1))) for s in sentences]
        made[part] = tokens, [s.column(2) for s in sentences]
    return _hold_out(made["train"]) | {"test": made["test"]}


def _hold_out(train: Part) -> dict[str, Part]:
    held = [i % 10 == 9 for i in range(len(train[0]))]
    return {
        part: tuple([y for y, out in zip(each, held) if out == (part == "dev")] for each in train)  # type: ignore[misc]
        for part in ("train", "dev")
    }


def _letters() -> dict[str, Part]:
    """Return letters as sets of dark pixels; of the ten folds the last is for test, the ninth for dev."""
    with np.load(find("ocr_letters/letters.npz")) as arrays:
        pixels, labels, lengths, folds = (arrays[key] for key in ("pixels", "labels", "lengths", "folds"))
    names = np.array([f"p{i}" for i in range(pixels.shape[1])])
    parts: dict[str, Part] = {part: ([], []) for part in ("train", "dev", "test")}
    first = 0
    for length, fold in zip(lengths.tolist(), folds.tolist()):
        part = {8: "dev", 9: "test"}.get(fold, "train")
        word = slice(first, first + length)
        parts[part][0].append([dict.fromkeys(names[dark > 0].tolist(), 1.0) for dark in pixels[word]])
        parts[part][1].append([chr(ord("a") + letter) for letter in labels[word].tolist()])
        first += length
    return parts


def _synthetic() -> dict[str, Part]:
    """Return the generated treebank, so that tests need no files."""
    from structron.synthetic import generate_treebank

    sizes = {"train": 200, "dev": 100, "test": 100}
    parts: dict[str, Part] = {}
    for seed, (part, size) in enumerate(sizes.items()):
        trees = list(generate_treebank(size, np.random.default_rng(seed)))
        parts[part] = [list(tree.words) for tree in trees], [list(tree.tags) for tree in trees]
    return parts


@cache
def checksum(name: str, quick: bool) -> str:
    """Return twelve hex digits of all parts."""
    return checksum_of(load(name, quick).values())


@dataclass(frozen=True)
class Comparison:
    """One learner on one corpus, from one seed."""

    corpus: str
    family: str
    learner: str
    seed: int
    epochs: int
    quick: bool = False

    def tagger(self) -> Tagger:
        """Return it with every setting named, so that these numbers stay when a default changes."""
        how = CORPORA.get(self.corpus, CORPORA["ewt"])
        return Tagger(
            templates=how.templates if isinstance(how.templates, str) else list(how.templates),
            order=how.order,
            search=how.search,
            update=how.update,
            learner=self.learner,
            epochs=self.epochs,
            seed=self.seed,
            shuffle=True,
            constraints="auto",
        )

    def checksum(self) -> str:
        return checksum(self.corpus, self.quick)

    def measure(self) -> dict[str, Any]:
        """Train, keep the epoch that is best on the dev part, and score that on the test part."""
        parts = load(self.corpus, self.quick)
        tagger = self.tagger()
        started = time.process_time()
        tagger.fit(*parts["train"], dev=parts["dev"])
        spent = time.process_time() - started
        history = tagger.history_
        dev = [round(100 * (epoch.dev_score or 0.0), 4) for epoch in history]
        return {
            "run": asdict(self),
            "signature": signature_of(tagger.recipe.hash(), self.checksum(), self.seed),
            "best_epoch": dev.index(max(dev)) + 1,
            "dev": dev,
            "test": round(100 * tagger.score(*parts["test"]), 4),
            "updates": [epoch.updates for epoch in history],
            "invalid": [epoch.invalid for epoch in history],
            "cpu": [round(epoch.cpu_seconds, 3) for epoch in history],
            "cpu_with_dev": round(spent, 3),
        }

    def line(self, entry: dict[str, Any]) -> str:
        return (
            f"{self.corpus} {self.learner} seed {self.seed}: dev {max(entry['dev']):.2f} "
            f"(epoch {entry['best_epoch']}), test {entry['test']:.2f}, {entry['cpu_with_dev']:.1f} CPU s"
        )
