"""One training run on GeoQuery, for the record."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

from record import checksum_of, signature_of

from geoquery import geography
from geoquery.geography import Example
from structron import SemanticParser
from structron.tasks.semantics.features import PRESETS

FIFTH = 5  # each fifth question of the training part is for development; the test part is not looked at


def parts(questions: int, dev: int) -> tuple[list[Example], list[Example]]:
    """Return what is learned from and what is measured on, both from the training part."""
    examples = geography.load("train")
    train = [example for i, example in enumerate(examples) if i % FIFTH]
    return train[:questions], list(examples[::FIFTH][:dev])


@dataclass(frozen=True)
class Learned:
    """One training run: everything that decides its numbers, but for the data themselves."""

    search: str
    update: str
    learner: str
    seed: int
    epochs: int
    questions: int
    dev_questions: int
    quick: bool = False

    def checksum(self) -> str:
        """Return twelve hex digits of the questions with their forms."""
        found = parts(self.questions, self.dev_questions)
        return checksum_of(([e.question for e in part], [str(e.form) for e in part]) for part in found)

    def estimator(self) -> SemanticParser:
        """Return it with every setting named, so that these numbers stay when a default changes."""
        return SemanticParser(
            names=geography.gazetteer(),
            templates=list(PRESETS["hybrid"]),
            search=self.search,
            update=self.update,
            learner=self.learner,
            epochs=self.epochs,
            seed=self.seed,
            trust=0.03,
            chain=2,
            overlap=0,
        )

    def measure(self) -> dict[str, Any]:
        """Train; exact match on the dev part after each epoch. `cpu` is learning alone."""
        train, dev = parts(self.questions, self.dev_questions)
        estimator = self.estimator()
        began = time.process_time()
        estimator.fit(
            [e.question for e in train],
            [e.form for e in train],
            dev=([e.question for e in dev], [e.form for e in dev]),
        )
        history = estimator.history_
        found = [round(100 * (epoch.dev_score or 0.0), 4) for epoch in history]
        return {
            "run": asdict(self),
            "signature": signature_of(estimator.recipe.hash(), self.checksum(), self.seed),
            "best_epoch": found.index(max(found)) + 1,
            "best_dev": max(found),
            "dev": found,
            "updates": [epoch.updates for epoch in history],
            "invalid": [epoch.invalid for epoch in history],
            "cpu": [round(epoch.cpu_seconds, 3) for epoch in history],
            "cpu_with_dev": round(time.process_time() - began, 3),
        }

    def line(self, entry: dict[str, Any]) -> str:
        """Return the run and its result in short."""
        return (
            f"{self.update} {self.learner} {self.search} seed {self.seed}: "
            f"{entry['best_dev']:.2f} (epoch {entry['best_epoch']}), {entry['cpu_with_dev']:.1f} CPU s"
        )
