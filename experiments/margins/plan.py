"""Averaging and the margin: which trainings are made.

Short sentences, so that exact search of the definition finds the best output that is not gold, and the margin
of every training sentence is known.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from statistics import fmean, median
from typing import Any

from corpora import find
from record import RATNAPARKHI, checksum_of, signature_of

from structron import Tagger
from structron.io import read
from structron.theory import output_margins, weights_of

SEEDS = 2
EPOCHS = (1, 5, 30)
SENTENCES, TEST_SENTENCES, SMALL = 200, 600, 30
SHORTEST, LONGEST = 4, 9
# One label back; words as they are, since nothing is rare enough to be dropped.
TEMPLATES = tuple(template.replace("col(1)", "w") for template in RATNAPARKHI if template != "t[-2] t[-1]")
LEARNERS = {
    "perceptron, plain": "perceptron:plain",
    "perceptron, averaged": "perceptron",
    "margin 20, plain": "perceptron:margin=20,plain",
    "margin 20, averaged": "perceptron:margin=20",
    "MIRA, plain": "mira:augmented,plain",
    "MIRA, averaged": "mira:augmented",
    "SVM": "ssvm",
}
Part = tuple[list[list[str]], list[list[str]]]


@cache
def load(quick: bool) -> tuple[Part, Part]:
    """Return words and universal tags of short sentences of EWT, of its training and of its dev part."""
    train, dev = (_short(part) for part in ("train", "dev"))
    few, many = (SMALL, SMALL) if quick else (SENTENCES, TEST_SENTENCES)
    return (train[0][:few], train[1][:few]), (dev[0][:many], dev[1][:many])


def _short(part: str) -> Part:
    sentences = [
        sentence
        for sentence in read(str(find(f"ud/UD_English-EWT/en_ewt-ud-{part}.conllu.gz")))
        if SHORTEST <= len(sentence) <= LONGEST
    ]
    return [s.words() for s in sentences], [s.column("upos") for s in sentences]


@dataclass(frozen=True)
class Separated:
    """One training."""

    learner: str
    epochs: int
    seed: int
    quick: bool = False

    def checksum(self) -> str:
        return checksum_of(load(self.quick))

    def estimator(self) -> Tagger:
        """Return it with every setting named, so that these numbers stay when a default changes."""
        return Tagger(
            templates=list(TEMPLATES),
            order=1,
            search="exact",
            update="standard",
            learner=self.learner,
            epochs=self.epochs,
            seed=self.seed,
            constraints=None,
            dictionary=None,
            cut=0,
            min_weight=0.0,
            skip_correct=False,
        )

    def measure(self) -> dict[str, Any]:
        (X, y), test = load(self.quick)
        began = time.process_time()
        tagger = self.estimator().fit(X, y)
        margins = output_margins(self.estimator().spaces(X, y), weights_of(tagger.model_))
        return {
            "run": asdict(self),
            "signature": signature_of(tagger.recipe.hash(), self.checksum(), self.seed),
            "separated": round(100 * fmean(margin > 0 for margin in margins), 4),
            "least": round(min(margins), 6),
            "median": round(median(margins), 6),
            "test": round(100 * tagger.score(*test), 4),
            "updates": sum(epoch.updates for epoch in tagger.history_),
            "cpu": round(time.process_time() - began, 2),
        }

    def line(self, entry: dict[str, Any]) -> str:
        return (
            f"{self.learner} {self.epochs} epochs seed {self.seed}: margin {entry['least']:.4f} at least, "
            f"{entry['median']:.4f} median, test {entry['test']:.2f}, {entry['cpu']:.1f} CPU s"
        )


KIND = Separated


def runs(quick: bool = False) -> dict[str, list[Separated]]:
    """Return all runs, by the name of the experiment."""
    lengths: Sequence[int] = EPOCHS[:2] if quick else EPOCHS
    return {
        "averaging": [
            Separated(learner, epochs, seed, quick)
            for seed in range(1 if quick else SEEDS)
            for learner in LEARNERS.values()
            for epochs in lengths
        ]
    }
