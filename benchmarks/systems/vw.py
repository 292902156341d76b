"""Vowpal Wabbit's learning to search, task `sequence`, from its Python wheel."""

from __future__ import annotations

import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from corpora import Split, Tags, Task, Token, Tokens
from features import sentence_features
from systems import Training, require

PASSES = 5
BITS = 24
# Characters that mean something in its text format, one for one, so that affixes keep their lengths.
ESCAPES = str.maketrans({" ": "\u00b7", ":": "\ua789", "|": "\u01c0", "\t": "\u00b7", "\u00a0": "\u00b7"})


def escaped(tokens: list[Token]) -> list[Token]:
    return [
        token.translate(ESCAPES)
        if isinstance(token, str)
        else (token[0].translate(ESCAPES), token[1].translate(ESCAPES))
        for token in tokens
    ]


class VowpalWabbit:
    """Greedy search without roll-outs: the quickest of its settings, and the usual one for tagging."""

    def __init__(self, name: str, scratch: Path) -> None:
        self.vw = require("vowpalwabbit", "vowpalwabbit")
        self.name = name
        self.version = "vowpalwabbit " + version("vowpalwabbit")
        self.options = f"--search_task sequence --search_rollout none --search_alpha 1e-8 -b {BITS}"
        self.settings = f"{PASSES} passes, {self.options}; an epoch includes reading its text or cache"
        self.remembers = False
        self.retrain = 0
        self.scratch = scratch
        self.model = scratch / f"{name}.vw"
        self.labels: list[str] = []
        self.workspace: Any = None
        self.multiclass: Any = None

    def train(self, train: Split, dev: Split | None, epochs: int | None = None) -> Training:
        self.labels = sorted({tag for tags in train.gold for tag in tags})
        number = {tag: i for i, tag in enumerate(self.labels, 1)}
        text, cache = self.scratch / "train.txt", self.scratch / "train.cache"
        with text.open("w", encoding="utf-8") as lines:
            for tokens, tags in zip(train.inputs, train.gold):
                for features, tag in zip(sentence_features(escaped(tokens)), tags):
                    lines.write(f"{number[tag]} | {' '.join(features)}\n")
                lines.write("\n")
        passes = PASSES if epochs is None else epochs
        begin = time.process_time()
        workspace = self.vw.Workspace(
            f"-d {text} --cache_file {cache} -k --passes {passes} --holdout_off --quiet "
            f"--search {len(self.labels)} {self.options} -f {self.model}"
        )
        workspace.finish()
        # The passes run inside one call: their mean is all that can be seen from here.
        mean = (time.process_time() - begin) / passes
        text.unlink()
        cache.unlink(missing_ok=True)
        return Training([mean] * passes)

    def save(self, path: Path) -> Path:
        # Its file does not hold the names of the labels; they are kept by the caller, as its users do.
        return self.model.replace(path)

    def load(self, path: Path) -> None:
        if self.workspace is not None:
            self.workspace.finish()
        self.workspace = self.vw.Workspace(f"-t -i {path} --quiet")
        self.multiclass = self.workspace.get_prediction_type()

    def tag(self, inputs: Tokens) -> Tags:
        parse, predict, finish = self.workspace.parse, self.workspace.predict, self.workspace.finish_example
        labels, kind = self.labels, self.multiclass
        answer = []
        for tokens in inputs:
            examples = parse("\n".join("| " + " ".join(f) for f in sentence_features(escaped(tokens))))
            predict(examples)
            answer.append([labels[example.get_prediction(kind) - 1] for example in examples])
            finish(examples)
        return answer

    def prepare(self, inputs: Tokens) -> list[Any]:
        return [
            self.workspace.parse("\n".join("| " + " ".join(f) for f in sentence_features(escaped(tokens))))
            for tokens in inputs
        ]

    def decode(self, prepared: list[Any]) -> None:
        for examples in prepared:
            self.workspace.predict(examples)


def make(name: str, task: Task, scratch: Path) -> VowpalWabbit:
    return VowpalWabbit(name, scratch)
