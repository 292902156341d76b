"""spaCy's transition parser, trained from scratch: a small convolutional network that sees gold tags too."""

from __future__ import annotations

import os
import random
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from corpora import Split, Tags, Task, Tokens
from systems import Training, require

# Eight epochs are its best on EWT and take nine minutes: $SPACY_EPOCHS to change.
EPOCHS = int(os.environ.get("SPACY_EPOCHS", "8"))
SMALLEST, BATCH = 8, 64  # of the first batch, and of the last
MODEL = {
    "@architectures": "spacy.TransitionBasedParser.v2",
    "state_type": "parser",
    "extra_state_tokens": False,
    "hidden_width": 64,
    "maxout_pieces": 2,
    "use_upper": True,
    "tok2vec": {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {
            "@architectures": "spacy.MultiHashEmbed.v2",
            "width": 96,
            "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE", "POS", "TAG", "LEMMA"],
            "rows": [5000, 1000, 2500, 2500, 100, 200, 5000],
            "include_static_vectors": False,
        },
        "encode": {
            "@architectures": "spacy.MaxoutWindowEncoder.v2",
            "width": 96,
            "depth": 4,
            "window_size": 1,
            "maxout_pieces": 3,
        },
    },
}


class SpaCy:
    def __init__(self, name: str) -> None:
        self.spacy = require("spacy", "spacy")
        self.example = require("spacy.training", "spacy").Example
        self.doc = require("spacy.tokens", "spacy").Doc
        self.compounding = require("thinc.schedules", "spacy").compounding
        self.name = name
        self.version = "spacy " + version("spacy")
        self.settings = (
            f"CNN of width 96 with UPOS, XPOS and lemmas among its features, {EPOCHS} epochs, "
            f"batches from {SMALLEST} to {BATCH}"
        )
        self.remembers = False
        self.retrain = 0
        self.seed = 0
        self.nlp: Any = self.blank()

    def blank(self) -> Any:
        self.spacy.util.fix_random_seed(self.seed)
        nlp = self.spacy.blank("en")
        nlp.add_pipe("parser", config={"model": MODEL, "min_action_freq": 1})
        return nlp

    def document(self, tokens: Any, answers: list[str] | None = None) -> Any:
        words, upos, xpos, _, lemmas = zip(*tokens)
        options: dict[str, Any] = {}
        if answers is not None:
            pairs = [answer.split(" ", 1) for answer in answers]
            options["heads"] = [int(head) - 1 if head != "0" else i for i, (head, _) in enumerate(pairs)]
            options["deps"] = [relation if head != "0" else "ROOT" for head, relation in pairs]
        else:
            # One sentence each: it may not be split.
            options["sent_starts"] = [True] + [False] * (len(words) - 1)
        return self.doc(
            self.nlp.vocab, words=list(words), pos=list(upos), tags=list(xpos), lemmas=list(lemmas), **options
        )

    def train(self, train: Split, dev: Split | None, epochs: int | None = None) -> Training:
        examples = [
            self.example(self.document(tokens), self.document(tokens, answers))
            for tokens, answers in zip(train.inputs, train.gold)
        ]
        self.spacy.util.fix_random_seed(self.seed)
        optimizer = self.nlp.initialize(lambda: examples)
        draw = random.Random(self.seed)
        sizes = self.compounding(SMALLEST, BATCH, 1.001)
        clock = []
        for _ in range(epochs or EPOCHS):
            began = time.process_time()
            draw.shuffle(examples)
            for batch in self.spacy.util.minibatch(examples, sizes):
                self.nlp.update(batch, sgd=optimizer, drop=0.1)
            clock.append(time.process_time() - began)
        return Training(clock)

    def save(self, path: Path) -> Path:
        path.write_bytes(self.nlp.to_bytes())
        return path

    def load(self, path: Path) -> None:
        self.nlp = self.blank()
        self.nlp.from_bytes(path.read_bytes())

    def tag(self, inputs: Tokens) -> Tags:
        documents = self.prepare(inputs)
        self.decode(documents)
        return [
            [
                f"{0 if t.head.i == t.i else t.head.i + 1} {'root' if t.dep_ == 'ROOT' else t.dep_}"
                for t in doc
            ]
            for doc in documents
        ]

    def prepare(self, inputs: Tokens) -> list[Any]:
        return [self.document(tokens) for tokens in inputs]

    def decode(self, prepared: list[Any]) -> None:
        parser = self.nlp.get_pipe("parser")
        for _ in parser.pipe(iter(prepared), batch_size=BATCH):
            pass


def make(name: str, task: Task, scratch: Path) -> SpaCy:
    return SpaCy(name)
