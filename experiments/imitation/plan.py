"""DAgger, SEARN and over-generating inference beside valid updates: which trainings are made."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import corpora
from learners import comparison
from record import checksum, signature_of

from imitation import policies
from structron import Tagger
from structron.metrics import span_f1
from structron.model import Model

SENTENCES, ROUNDS, EPOCHS, SEEDS = 600, 6, 6, 3
TRAINED: dict[str, Callable[..., list[policies.Policy]]] = {
    "local": policies.local,
    "dagger": policies.dagger,
    "searn": policies.searn,
}
UPDATES = ("standard", "early", "max_violation")
TEMPLATES = (
    *("col(1)[0]", "col(1)[-1]", "col(1)[1]", "suffix(3)[0]", "suffix(2)[0]", "prefix(2)[0]", "class[0]"),
    *("t[-1]", "t[-2] t[-1]"),
)


@dataclass(frozen=True)
class Compared:
    """One training: of a greedy tagger, or of a chunker with or without rules for label sequences."""

    task: str
    method: str
    search: str
    seed: int
    rounds: int
    quick: bool = False

    def checksum(self) -> str:
        if self.task == "tags":
            return checksum("ewt", self.quick)
        return comparison.checksum(self.task, self.quick)

    def measure(self) -> dict[str, Any]:
        started = time.process_time()
        found = (
            self._chunks()
            if self.task != "tags"
            else self._imitated()
            if self.method in TRAINED
            else self._fixed()
        )
        recipe = f"{self.task} {self.method} {self.search} {self.rounds}"
        signature = {"signature": signature_of(recipe, self.checksum(), self.seed)}
        return {"run": asdict(self)} | signature | found | {"cpu": round(time.process_time() - started, 2)}

    def line(self, entry: dict[str, Any]) -> str:
        return (
            f"{self.task} {self.method} {self.search} seed {self.seed}: dev {max(entry['dev']):.2f}, "
            f"{entry['cpu']:.0f} CPU s"
        )

    def _parts(self) -> dict[str, Any]:
        corpus = corpora.load("ewt", self.quick)
        parts = {"train": corpus.train, "dev": corpus.dev, "test": corpus.test}
        few = {"train": SENTENCES, "dev": SENTENCES, "test": None}
        return {name: tuple(each[: few[name]] for each in part) for name, part in parts.items()}

    def _imitated(self) -> dict[str, Any]:
        """Train policies round by round; the best on dev is tested."""
        parts = self._parts()
        names = sorted({tag for tags in parts["train"][1] for tag in tags})
        number = {name: i for i, name in enumerate(names)}
        data = {
            part: [policies.sentence_of(x, [number.get(tag, -1) for tag in y]) for x, y in zip(*each)]
            for part, each in parts.items()
        }
        rng = random.Random(self.seed)
        found = TRAINED[self.method](data["train"], len(names), self.rounds, rng)

        def accuracy(policy: policies.Policy, part: str) -> float:
            right = [a == b for s in data[part] for a, b in zip(policies.tags(policy, s, len(names)), s.gold)]
            return round(100 * sum(right) / len(right), 4)

        dev = [accuracy(policy, "dev") for policy in found]
        return {"dev": dev, "test": accuracy(found[dev.index(max(dev))], "test")}

    def _fixed(self) -> dict[str, Any]:
        """Train the engine's tagger with the same templates."""
        parts = self._parts()
        tagger = Tagger(
            templates=list(TEMPLATES), order=2, search=self.search, update=self.method, learner="perceptron",
            epochs=self.rounds, seed=self.seed, constraints=None, dictionary=None, cut=0, min_weight=0.0,
        )  # fmt: skip
        tagger.fit(*parts["train"], dev=parts["dev"])
        dev = [round(100 * (epoch.dev_score or 0.0), 4) for epoch in tagger.history_]
        return {"dev": dev, "test": round(100 * tagger.score(*parts["test"]), 4)}

    def _chunks(self) -> dict[str, Any]:
        """Train with or without the rules of BIO, and decode the last weights with and without them."""
        parts = comparison.load(self.task, self.quick)
        tagger = Tagger(
            templates="chunk", order=2, search=self.search, update="standard", learner="perceptron",
            epochs=self.rounds, seed=self.seed, constraints="bio" if self.method == "legal" else "none",
        )  # fmt: skip
        tagger.fit(*parts["train"])
        model = tagger.model_
        found: dict[str, Any] = {}
        for scheme in (None, "bio"):
            decoder = Model(replace(model.task, scheme=scheme), model.rows, model.search)
            for part in ("dev", "test"):
                xs, ys = parts[part]
                guess = [list(y) for y in decoder.predict(list(xs))]
                found[f"{part}_{scheme}"] = round(100 * span_f1(ys, guess).f1, 4)
        invalid = sum(e.invalid for e in tagger.history_) / max(1, sum(e.updates for e in tagger.history_))
        return {
            "dev": [found["dev_bio"]],
            "test": found["test_bio"],
            "invalid": round(100 * invalid, 3),
        } | found


KIND = Compared


def runs(quick: bool = False) -> dict[str, list[Compared]]:
    """Return all runs, by the name of the experiment."""
    seeds = range(1 if quick else SEEDS)
    rounds, epochs = (2, 2) if quick else (ROUNDS, EPOCHS)
    tags = [Compared("tags", method, "greedy", seed, rounds, quick) for seed in seeds for method in TRAINED]
    tags += [Compared("tags", update, "greedy", seed, epochs, quick) for seed in seeds for update in UPDATES]
    tags += [Compared("tags", "max_violation", "beam:8", seed, epochs, quick) for seed in seeds]
    chunks = [
        Compared("chunks", method, search, seed, epochs, quick)
        for seed in seeds
        for search in ("greedy", "beam:4")
        for method in ("legal", "every")
    ]
    return {"tags": tags, "chunks": chunks}
