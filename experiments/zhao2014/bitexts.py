"""Translators of a part of Multi30k, German to English: what can be reached, and what updates learn."""

from __future__ import annotations

import gzip
import hashlib
import time
from dataclasses import asdict, dataclass
from typing import Any

from corpora import find
from record import signature_of

from structron import Translator
from structron.engine.weights import empty_weights

PART = "mt/multi30k/{}.lc.norm.tok.{}.gz"
TEST = "test_2016_flickr"
EDGES = (
    "rule",
    "size",
    "link",
    "s.first s.last",
    "t.first t.last",
    "s.first t.first",
    "s.last t.last",
    "s[-1] s.first",
    "s.last s[1]",
    "s[-1] t.first",
    "s[1] t.last",
)


def lines(part: str, language: str, count: int) -> list[str]:
    """Return the first lines of a part; never every other one, since odd and even lines differ in length."""
    with gzip.open(find(PART.format(part, language)), "rt", encoding="utf-8") as file:
        return [line.rstrip("\n") for line, _ in zip(file, range(count))]


def pairs_of(part: str, count: int) -> tuple[list[str], list[str]]:
    """Return sources and targets."""
    return lines(part, "de", count), lines(part, "en", count)


@dataclass(frozen=True)
class Learned:
    """One translator: tuned dense weights, then sparse ones by an update method, or ``none``.

    With ``reach`` in place of a method, how many training pairs some derivation yields.

    Parameters
    ----------
    pairs, dev
        How many pairs of the training part and of the dev part are used, from their beginning. Dense weights
        are tuned on the first half of those of the dev part, and BLEU is of the second.
    least, limit
        The cut-off, and how far rules span or phrases jump.
    test
        How many pairs of the test part it is measured on besides.
    """

    system: str
    search: str
    update: str
    epochs: int
    pairs: int = 0
    dev: int = 0
    learner: str = "perceptron"
    seed: int = 0
    least: int = 2
    limit: int = 10
    test: int = 0
    quick: bool = False

    def estimator(self) -> Translator:
        """Return it with every setting named, so that these numbers stay when a default changes."""
        learns = self.update not in ("none", "reach")
        return Translator(
            system=self.system,
            search="auto" if self.search == "none" else self.search,
            templates=EDGES if learns else "dense",
            update=self.update if learns else "max_violation",
            learner=self.learner,
            epochs=self.epochs,
            seed=self.seed,
            shuffle=True,
            longest=7,
            initial=10,
            symbols=5,
            min_count=self.least,
            max_options=20,
            span_limit=self.limit if self.system == "hiero" else 10,
            distortion_limit=self.limit if self.system == "phrases" and self.limit != 10 else 6,
            compounds="whole",
            forms=False,
            order=3,
            tuning=5,
            list_size=30,
            frozen_dense=False,
            scale=0.1,
            folds=0,
            retuning=0,
            unreachable="skip",
        )

    def checksum(self) -> str:
        digest = hashlib.sha256()
        for part, count in (("train", self.pairs), ("val", self.dev), (TEST, self.test)):
            for side in pairs_of(part, count):
                digest.update("\n".join(side).encode())
        return digest.hexdigest()[:12]

    def entry(self, translator: Translator, found: dict[str, Any]) -> dict[str, Any]:
        """Return what goes into the record."""
        signature = signature_of(translator.recipe.hash(), self.checksum(), self.seed)
        return {"run": asdict(self), "signature": signature} | found

    def reached(self) -> dict[str, Any]:
        """Return whole pairs with the table as it is, and with each pair left out."""
        train = pairs_of("train", self.pairs)
        translator = self.estimator()
        started = time.process_time()
        # Something must be to learn, or the examples come without their links.
        plan = translator.set_params(templates=("rule",), epochs=1).plan(*train)
        reached = []
        for ys in (plan.examples.ys, [list(y) for y in plan.examples.ys]):
            corpus: Any = plan.task.corpus(empty_weights(plan.task))
            for x, y in zip(plan.examples.xs, ys):
                corpus.add(x, list(y), *getattr(y, "more", ()))
            reached.append((corpus.sentences, corpus.tokens))
        words = sum(map(len, plan.examples.xs))
        found = {
            "pairs": len(plan.examples.xs),
            "words": words,
            "left_out": list(reached[0]),
            "whole": list(reached[1]),
            "rules": len(plan.task.phrases),
            "cpu": round(time.process_time() - started, 3),
        }
        return self.entry(translator, found)

    def measure(self) -> dict[str, Any]:
        """Return BLEU of the best epoch and of each on held-out dev, or how many pairs are reached."""
        if self.update == "reach":
            return self.reached()
        train, dev = pairs_of("train", self.pairs), pairs_of("val", self.dev)
        half = len(dev[0]) // 2
        tuning, held = ((tuple(side[at] for side in dev)) for at in (slice(half), slice(half, None)))
        translator = self.estimator()
        started = time.process_time()
        # Where something is learned, `fit` takes the first half to tune on and the second for the epochs.
        translator.fit(*train, dev=dev if self.update != "none" else tuning)
        spent = time.process_time() - started
        history = translator.history_
        epochs = [round(100 * (epoch.dev_score or 0.0), 4) for epoch in history]
        found = {
            "bleu": max(epochs) if epochs else round(100 * translator.score(*held), 4),
            "dev": epochs,
            "errors": [epoch.errors for epoch in history],
            "updates": [epoch.updates for epoch in history],
            "invalid": [epoch.invalid for epoch in history],
            "below": [epoch.early_stopped for epoch in history],
            "unreachable": translator.unreachable_,
            "rules": translator.phrases_,
            "test": round(100 * translator.score(*pairs_of(TEST, self.test)), 4) if self.test else None,
            "learning_cpu": round(sum(epoch.cpu_seconds for epoch in history), 3),
            "cpu": round(spent, 3),
        }
        return self.entry(translator, found)

    def line(self, entry: dict[str, Any]) -> str:
        if self.update == "reach":
            share = 100 * entry["left_out"][0] / entry["pairs"]
            return f"{self.system} least {self.least} limit {self.limit}: {share:.1f} % reached"
        return (
            f"{self.system} {self.search} {self.update} {self.learner} {self.seed}: BLEU {entry['bleu']:.2f}"
        )
