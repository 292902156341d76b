"""Taggers whose labels own hidden sub-labels: the corpora, and one training."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from learners.comparison import Part
from learners.comparison import load as load_real
from record import checksum_of, signature_of

from structron import Tagger
from sun2009 import cycles


@dataclass(frozen=True)
class Corpus:
    """What is read, and how it is searched: the same for every number of sub-labels."""

    title: str
    score: str
    templates: str | Sequence[str]
    order: int
    search: str
    update: str


CORPORA = {
    "cycles": Corpus("synthetic cycles", "accuracy", ("bias", "w[0]", "t[-1]"), 1, "exact", "standard"),
    "chunks": Corpus("CoNLL-2000 chunks", "F1", "chunk", 2, "beam:4", "max_violation"),
    "ewt": Corpus("UD English-EWT, UPOS", "accuracy", "pos", 2, "beam:4", "max_violation"),
}


def load(name: str, quick: bool) -> dict[str, Part]:
    """Train, dev and test part."""
    return cycles.draw(quick) if name == "cycles" else load_real(name, quick)


@cache
def checksum(name: str, quick: bool) -> str:
    """Return twelve hex digits of all parts."""
    return checksum_of(load(name, quick).values())


@dataclass(frozen=True)
class Hidden:
    """One number of sub-labels on one corpus, from one seed."""

    corpus: str
    hidden: int
    seed: int
    epochs: int
    quick: bool = False

    def tagger(self) -> Tagger:
        """Return it with every setting named, so that these numbers stay when a default changes."""
        how = CORPORA[self.corpus]
        return Tagger(
            templates=how.templates if isinstance(how.templates, str) else list(how.templates),
            order=how.order,
            search=how.search,
            update=how.update,
            learner="perceptron:margin=20",
            epochs=self.epochs,
            seed=self.seed,
            shuffle=True,
            constraints="auto",
            hidden=self.hidden,
        )

    def checksum(self) -> str:
        return checksum(self.corpus, self.quick)

    def measure(self) -> dict[str, Any]:
        """Train, keep the epoch that is best on the dev part, and score that on the test part."""
        parts = load(self.corpus, self.quick)
        tagger = self.tagger()
        tagger.fit(*parts["train"], dev=parts["dev"])
        history = tagger.history_
        dev = [round(100 * (epoch.dev_score or 0.0), 4) for epoch in history]
        started = time.process_time()
        test = round(100 * tagger.score(*parts["test"]), 4)
        return {
            "run": asdict(self),
            "signature": signature_of(tagger.recipe.hash(), self.checksum(), self.seed),
            "best_epoch": dev.index(max(dev)) + 1,
            "dev": dev,
            "test": test,
            "test_cpu": round(time.process_time() - started, 3),
            "weights": len(tagger.model_.rows.weights),
            "updates": [epoch.updates for epoch in history],
            "invalid": [epoch.invalid for epoch in history],
            "cpu": [round(epoch.cpu_seconds, 3) for epoch in history],
        }

    def line(self, entry: dict[str, Any]) -> str:
        return (
            f"{self.corpus} hidden {self.hidden} seed {self.seed}: dev {max(entry['dev']):.2f} "
            f"(epoch {entry['best_epoch']}), test {entry['test']:.2f}, {sum(entry['cpu']):.1f} CPU s"
        )
