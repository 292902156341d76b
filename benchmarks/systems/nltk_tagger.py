"""NLTK's PerceptronTagger: greedy, averaged, in Python, with features of its own."""

from __future__ import annotations

import json
import logging
import random
import time
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

from corpora import Split, Tags, Task, Tokens
from systems import Training, Unavailable, require

EPOCHS = 5


class Clock(logging.Handler):
    """Reads the clock at each of NLTK's log lines, of which it writes one per epoch."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.times = [time.process_time()]

    def emit(self, record: logging.LogRecord) -> None:
        self.times.append(time.process_time())


class NLTK:
    def __init__(self, name: str) -> None:
        self.module = require("nltk.tag.perceptron", "nltk")
        self.name = name
        self.version = "nltk " + version("nltk")
        self.settings = f"its own features and tag dictionary, {EPOCHS} epochs, greedy, order 2"
        self.remembers = False
        self.retrain = 0
        self.tagger: Any = None

    def train(self, train: Split, dev: Split | None, epochs: int | None = None) -> Training:
        random.seed(0)  # NLTK shuffles with the global generator
        pairs = [list(zip(words, tags)) for words, tags in zip(train.inputs, train.gold)]
        clock = Clock()
        logger = logging.getLogger(self.module.__name__)
        logger.addHandler(clock)
        logger.setLevel(logging.INFO)
        logger.propagate = False
        self.tagger = self.module.PerceptronTagger(load=False)
        try:
            self.tagger.train(pairs, nr_iter=EPOCHS if epochs is None else epochs)
        finally:
            logger.removeHandler(clock)
        return Training([end - begin for begin, end in pairwise(clock.times)])

    def save(self, path: Path) -> Path:
        # NLTK saves only below its own data folders; these are the same three objects in the same form.
        path.write_text(json.dumps(self.tagger.encode_json_obj()), encoding="utf-8")
        return path

    def load(self, path: Path) -> None:
        parameters = json.loads(path.read_text(encoding="utf-8"))
        self.tagger = self.module.PerceptronTagger.decode_json_obj(parameters)

    def tag(self, inputs: Tokens) -> Tags:
        tag = self.tagger.tag
        return [[pair[1] for pair in tag(words)] for words in inputs]

    def prepare(self, inputs: Tokens) -> None:
        return None

    def decode(self, prepared: Any) -> None:
        return None


def make(name: str, task: Task, scratch: Path) -> NLTK:
    if task.pos is not None:
        raise Unavailable("NLTK's tagger reads words only, this task has parts of speech as well")
    return NLTK(name)
