"""How much an update teaches: which trainings are watched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from corpora import PARSING, load
from record import checksum, signature_of

from structron import Parser, Tagger
from structron.reference import METHODS, Differences

METHODS_TRIED = ("standard", "early", "max_violation", "latest")
SETTINGS = {"ewt": "greedy", "ewt-trees": "beam:8"}
SENTENCES, DEV_SENTENCES, EPOCHS, SEEDS = 500, 400, 4, 3


class Watched:
    """The averaged perceptron, which notes what it was given."""

    margin = 0.0

    def __init__(self) -> None:
        self.notes: list[tuple[float, float, float]] = []

    def move(self, found: Differences) -> Any:
        """Return the difference, and note its squared length, its wrong actions and its excess."""
        at, value = found.summed()
        self.notes.append((float((value * value).sum()), float(found.loss.sum()), float(found.excess.sum())))
        return at, value


@dataclass(frozen=True)
class Watching:
    """One training whose updates are watched."""

    corpus: str
    search: str
    update: str
    seed: int
    epochs: int
    quick: bool = False

    def checksum(self) -> str:
        return checksum(self.corpus, self.quick)

    def estimator(self, update: Callable[[Any], Any], learner: Watched) -> Tagger | Parser:
        """Return it with every setting named that differs from the plain perceptron's."""
        shared: dict[str, Any] = {
            "search": self.search,
            "update": update,
            "learner": learner,
            "seed": self.seed,
        }
        shared |= {"epochs": self.epochs, "shuffle": True, "cut": 0, "min_weight": 0.0}
        if self.corpus not in PARSING:
            return Tagger(templates="pos", constraints=None, dictionary=None, **shared)
        return Parser(
            templates="huang_sagae_50", system="arc-standard", oracle="static", labelled=False,
            crossing="lift", tagger="none", **shared,
        )  # fmt: skip

    def measure(self) -> dict[str, Any]:
        corpus = load(self.corpus, self.quick)
        shares: list[float] = []
        method = METHODS[self.update]

        def noted(trace: Any) -> Any:
            """Choose as the method does, and note how much of the input the update sees."""
            chosen = method(trace)
            if chosen is not None:
                shares.append((chosen + 1) / (trace.final + 1))
            return chosen

        learner = _Shared()
        estimator = self.estimator(noted, learner)
        xs, ys = (part[:SENTENCES] for part in corpus.train)
        estimator.fit(xs, ys, dev=tuple(part[:DEV_SENTENCES] for part in corpus.dev))
        notes, history = np.array(learner.notes), estimator.history_
        return {
            "run": asdict(self),
            "signature": signature_of(f"{self.update} {self.search}", self.checksum(), self.seed),
            "dev": [round(100 * (epoch.dev_score or 0.0), 4) for epoch in history],
            "updates": [epoch.updates for epoch in history],
            "invalid": [epoch.invalid for epoch in history],
            "seen": round(100 * float(np.mean(shares)), 3),
            "length": round(float(notes[:, 0].mean()), 3),
            "wrong": round(float(notes[:, 1].mean()), 4),
            "excess": round(float(notes[:, 2].mean()), 4),
        }

    def line(self, entry: dict[str, Any]) -> str:
        return (
            f"{self.corpus} {self.update} {self.search} seed {self.seed}: dev {max(entry['dev']):.2f}, "
            f"{entry['wrong']:.2f} wrong actions an update"
        )


class _Shared(Watched):
    """A training works on a copy of the learner: the notes are those of the original."""

    def __deepcopy__(self, memo: Any) -> _Shared:
        return self


KIND = Watching


def runs(quick: bool = False) -> dict[str, list[Watching]]:
    """Return all runs, by the name of the experiment."""
    return {
        "teaching": [
            Watching(corpus, search, update, seed, 2 if quick else EPOCHS, quick)
            for corpus, search in SETTINGS.items()
            for seed in range(1 if quick else SEEDS)
            for update in METHODS_TRIED
        ]
    }
