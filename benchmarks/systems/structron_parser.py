"""structron's parsers: by transitions, with all or few templates, a beam or greedy; by a graph; combined."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from time import process_time
from typing import Any

from corpora import Split, Tags, Task, Tokens
from systems import Training, Unavailable, require

# Chosen on the dev set of EWT; the best epoch on the dev set is kept.
RICH = {"templates": "rich", "learner": "perceptron:margin=30", "epochs": 8, "cut": 4}
LEAN = RICH | {"templates": "lean", "search": "beam:8+within=200"}
FAST = {"templates": "fast", "learner": "perceptron:margin=20", "epochs": 8, "cut": 3}
# Of 1, 1.6, 2, 2.5 and 3 the largest limit below which weights cost nothing on dev when left out.
GREEDY = FAST | {"templates": "greedy", "cut": 4, "min_weight": 1.6, "search": "greedy"}
OPTIONS: dict[str, dict[str, Any]] = {
    "rich": RICH,
    "rich-case": RICH | {"templates": "rich_case"},
    "lean": LEAN,
    "lean-case": LEAN | {"templates": "lean_case"},
    "rich-greedy": RICH | {"search": "greedy", "epochs": 6},
    "fast": FAST,
    "fast-case": FAST | {"templates": "fast_case"},
    "fast-within": FAST | {"search": "beam:8+within=60"},
    "fast-greedy": FAST | {"search": "greedy"},
    "graph": {"system": "graph"},
    "graph-exact": {"system": "graph", "search": "forest"},
    "combined": RICH | {"combine": "graph+arcs+eager+backward"},
    "combined-arcs": RICH | {"combine": "arcs+backward"},
}


class Structron:
    def __init__(self, name: str, configuration: str) -> None:
        try:
            self.make = require("structron", "structron").Parser  # loads the compiled engine
        except (AttributeError, ImportError) as error:
            raise Unavailable(f"structron's engine cannot be loaded ({error}); make setup") from error
        self.name = name
        self.version = "structron " + version("structron")
        self.options = OPTIONS[configuration]
        told = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        self.settings = f"Parser({told}), fit(X, y, dev=dev)"
        self.remembers = True
        self.retrain = 1
        self.parser: Any = None

    def train(self, train: Split, dev: Split | None, epochs: int | None = None) -> Training:
        options = self.options if epochs is None else self.options | {"epochs": epochs}
        self.parser = self.make(**options)
        held_out = None if dev is None else (dev.inputs, [tree(answers) for answers in dev.gold])
        started, before = process_time(), [0.0]

        def prepare(*_: object) -> None:
            before[0] = process_time() - started

        gold = [tree(answers) for answers in train.gold]
        self.parser.fit(train.inputs, gold, dev=held_out, on_stage=prepare)
        history = self.parser.history_
        best = max(epoch.epoch for epoch in history if epoch.best) if dev is not None else None
        seconds = [epoch.cpu_seconds for epoch in history]
        # A pruner and experts are learned before the first epoch.
        return Training([before[0] + seconds[0], *seconds[1:]], best)

    def save(self, path: Path) -> Path:
        path = path.with_suffix(".safetensors")
        self.parser.save(path)
        return path

    def load(self, path: Path) -> None:
        self.parser = self.make.load(path)

    def tag(self, inputs: Tokens) -> Tags:
        return [[f"{h} {r}" for h, r in zip(*found)] for found in self.parser.predict(inputs)]

    def prepare(self, inputs: Tokens) -> Tokens:
        return inputs

    def decode(self, prepared: Tokens) -> float:
        """Return the engine's own clock: CPU seconds of search, from integers to integers."""
        before = self.parser.model_.decode_seconds
        self.parser.predict(prepared)
        return float(self.parser.model_.decode_seconds - before)


def tree(answers: list[str]) -> tuple[list[int], list[str]]:
    """Return heads and relations from answers such as "2 nsubj"."""
    pairs = [answer.split(" ", 1) for answer in answers]
    return [int(head) for head, _ in pairs], [relation for _, relation in pairs]


def make(name: str, task: Task, scratch: Path, configuration: str) -> Structron:
    return Structron(name, configuration)
