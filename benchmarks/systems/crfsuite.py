"""CRFsuite through python-crfsuite: a first-order model with exact search, three ways to train it."""

from __future__ import annotations

import time
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

from corpora import Split, Tags, Task, Tokens
from features import sentence_features
from systems import Training, require

EPOCHS = {"ap": 10, "pa": 10, "lbfgs": 100}
PARAMETERS: dict[str, dict[str, float]] = {"ap": {}, "pa": {}, "lbfgs": {"c1": 0.0, "c2": 1.0}}


class CRFsuite:
    """One algorithm of CRFsuite with the common features as lists of strings, its quickest input."""

    def __init__(self, name: str, scratch: Path, algorithm: str) -> None:
        self.pycrfsuite = require("pycrfsuite", "python-crfsuite")
        self.name = name
        self.version = "python-crfsuite " + version("python-crfsuite")
        self.algorithm = algorithm
        self.remembers = False
        self.retrain = 0 if algorithm == "lbfgs" else 3
        extra = ", c1=0, c2=1" if algorithm == "lbfgs" else ""
        self.settings = f"{algorithm}, at most {EPOCHS[algorithm]} iterations{extra}, exact search, order 1"
        self.model = scratch / f"{name}.crfsuite"
        self.tagger: Any = None

    def train(self, train: Split, dev: Split | None, epochs: int | None = None) -> Training:
        clock: list[float] = []

        class Trainer(self.pycrfsuite.BaseTrainer):  # type: ignore[misc,name-defined]
            """Reads the clock at the messages that begin and end an iteration."""

            def message(self, message: str) -> None:
                if "Seconds required for this iteration" in message or message.startswith("epsilon:"):
                    clock.append(time.process_time())

        trainer = Trainer(self.algorithm, verbose=False)
        iterations = EPOCHS[self.algorithm] if epochs is None else epochs
        trainer.set_params({"max_iterations": iterations, **PARAMETERS[self.algorithm]})
        for tokens, tags in zip(train.inputs, train.gold):
            trainer.append(sentence_features(tokens), tags)
        trainer.train(str(self.model))
        return Training([end - begin for begin, end in pairwise(clock)])

    def save(self, path: Path) -> Path:
        return self.model.replace(path)

    def load(self, path: Path) -> None:
        self.tagger = self.pycrfsuite.Tagger()
        self.tagger.open(str(path))

    def tag(self, inputs: Tokens) -> Tags:
        tag = self.tagger.tag
        return [tag(sentence_features(tokens)) for tokens in inputs]

    def prepare(self, inputs: Tokens) -> list[Any]:
        return [self.pycrfsuite.ItemSequence(sentence_features(tokens)) for tokens in inputs]

    def decode(self, prepared: list[Any]) -> Tags:
        tag = self.tagger.tag
        return [tag(items) for items in prepared]


def make(name: str, task: Task, scratch: Path, algorithm: str) -> CRFsuite:
    return CRFsuite(name, scratch, algorithm)
