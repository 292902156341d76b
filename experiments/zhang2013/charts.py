"""A graph-based parser with cube pruning, trained with one update method."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

from graphs import PRUNER, checksum_of_parts, part, templates_of
from record import signature_of

from structron import Parser
from structron.metrics import attachment


@dataclass(frozen=True)
class Chart:
    """One training run.

    Parameters
    ----------
    width
        How many items a node keeps.
    words, dev_words
        How many words of the training part and of the dev part are used, at most; both from their beginning.
    """

    corpus: str
    width: int
    update: str
    epochs: int
    words: int
    dev_words: int
    seed: int = 0
    quick: bool = False

    def sizes(self) -> dict[str, int]:
        return {"train": self.words, "dev": self.dev_words}

    def estimator(self) -> Parser:
        """Return it with every setting named, so that these numbers stay when a default changes."""
        return Parser(
            templates=templates_of(self.corpus, 3),
            system="graph",
            search=f"forest:{self.width}",
            update=self.update,
            learner="perceptron",
            epochs=self.epochs,
            seed=self.seed,
            shuffle=True,
            labelled=True,
            crossing="lift",
            pruner=PRUNER,
            tagger="none",
            cut=0,
            min_weight=0.0,
            half=False,
            skip_correct=False,
        )

    def checksum(self) -> str:
        return checksum_of_parts(self.corpus, self.sizes(), self.quick)

    def measure(self) -> dict[str, Any]:
        """Return LAS after each epoch as `dev`, and `uas` and `las` of the best of them."""
        train, dev = (part(self.corpus, name, words, self.quick) for name, words in self.sizes().items())
        parser = self.estimator()
        started = time.process_time()
        parser.fit(*train, dev=dev)
        spent = time.process_time() - started
        history = parser.history_
        scores = [round(100 * (epoch.dev_score or 0.0), 4) for epoch in history]
        found = attachment(dev[1], parser.predict(dev[0]))
        return {
            "run": asdict(self),
            "signature": signature_of(parser.recipe.hash(), self.checksum(), self.seed),
            "best_epoch": scores.index(max(scores)) + 1,
            "uas": round(100 * found.uas, 4),
            "las": round(100 * found.las, 4),
            "dev": scores,
            "errors": [epoch.errors for epoch in history],
            "updates": [epoch.updates for epoch in history],
            "invalid": [epoch.invalid for epoch in history],
            "below": [epoch.early_stopped for epoch in history],
            "cpu": [round(epoch.cpu_seconds, 3) for epoch in history],
            "cpu_with_dev": round(spent, 3),
        }

    def line(self, entry: dict[str, Any]) -> str:
        return (
            f"{self.corpus} {self.update} forest:{self.width}: dev UAS {entry['uas']:.2f}, LAS "
            f"{entry['las']:.2f} (epoch {entry['best_epoch']}), {entry['cpu_with_dev']:.1f} CPU s"
        )
