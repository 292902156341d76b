"""structron as a newcomer gets it, and with the peers' features for a comparison of the engines alone."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

from corpora import Split, Tags, Task, Tokens
from features import SAME
from systems import Training, Unavailable, require

SETTINGS = {
    "default": "Tagger(), bare fit(X, y)",
    "dev": "Tagger(), fit(X, y, dev=dev): the best epoch on the dev set is kept",
    "exact": "the peers' features, exact search, order 1, no margin, 10 epochs",
    "beam1": "the peers' features, beam 1, order 1, no margin, 10 epochs",
}


class Structron:
    def __init__(self, name: str, task: Task, configuration: str) -> None:
        self.structron = require("structron", "structron")
        try:
            self.make = self.structron.Tagger  # loads the compiled engine
        except (AttributeError, ImportError) as error:
            raise Unavailable(f"structron's engine cannot be loaded ({error}); make setup") from error
        self.name = name
        self.version = "structron " + version("structron")
        self.settings = SETTINGS[configuration]
        self.remembers = True
        self.retrain = 3
        self.configuration = configuration
        self.has_pos = task.pos is not None
        self.tagger: Any = None

    def make_tagger(self, epochs: int | None) -> Any:
        options: dict[str, Any] = {}
        if self.configuration in ("exact", "beam1"):
            options = {"templates": SAME[self.has_pos], "order": 1, "epochs": 10, "learner": "perceptron"}
            if self.configuration == "exact":
                options |= {"search": self.structron.Exact(), "update": "standard"}
            else:
                options |= {"search": self.structron.Beam(1), "update": "max_violation"}
        if epochs is not None:
            options["epochs"] = epochs
        return self.make(**options)

    def train(self, train: Split, dev: Split | None, epochs: int | None = None) -> Training:
        self.tagger = self.make_tagger(epochs)
        with_dev = (dev.inputs, dev.gold) if dev is not None and self.configuration == "dev" else None
        self.tagger.fit(train.inputs, train.gold, dev=with_dev)
        history = self.tagger.history_
        best = max(epoch.epoch for epoch in history if epoch.best) if with_dev is not None else None
        return Training([epoch.cpu_seconds for epoch in history], best)

    def save(self, path: Path) -> Path:
        path = path.with_suffix(".safetensors")
        self.tagger.save(path)
        return path

    def load(self, path: Path) -> None:
        self.tagger = self.make.load(path)

    def tag(self, inputs: Tokens) -> Tags:
        return list(self.tagger.predict(inputs))

    def prepare(self, inputs: Tokens) -> Tokens:
        return inputs

    def decode(self, prepared: Tokens) -> float:
        """Return the engine's own clock: CPU seconds of search, from integers to integers."""
        before = self.tagger.model_.decode_seconds
        self.tagger.predict(prepared)
        return float(self.tagger.model_.decode_seconds - before)


def make(name: str, task: Task, scratch: Path, configuration: str) -> Structron:
    if configuration == "dev" and task.dev is None:
        raise Unavailable("the corpus has no dev set")
    return Structron(name, task, configuration)
