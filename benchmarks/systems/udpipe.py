"""UDPipe 1 through ufal.udpipe: Parsito, a neural transition parser, greedy or with a beam."""

from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path
from typing import Any

from corpora import Split, Tags, Task, Tokens
from systems import Training, require

# Its usual settings. One epoch of the ten took ten minutes of CPU time on EWT: $UDPIPE_EPOCHS to change.
EPOCHS = int(os.environ.get("UDPIPE_EPOCHS", "10"))
OPTIONS = (
    "iterations={};hidden_layer=200;batch_size=10;learning_rate=0.02;l2=0.5;transition_system=projective;"
)
OPTIONS += "transition_oracle=dynamic;structured_interval=8;use_gold_tags=1"


class UDPipe:
    def __init__(self, name: str, scratch: Path, beam: int) -> None:
        self.udpipe = require("ufal.udpipe", "ufal.udpipe")
        self.name = name
        self.version = "ufal.udpipe " + version("ufal.udpipe")
        how = f"beam {beam}" if beam else "greedy"
        self.settings = f"Parsito, {EPOCHS} epochs, projective, dynamic oracle, {how}; gold tags as input"
        self.remembers = False
        self.retrain = 0
        self.shared = scratch.parent / "udpipe.model"  # greedy and beam search use the same model
        self.how = f"beam_search={beam or 1}"  # its models' own default is a beam of five
        self.model: Any = None

    def sentence(self, tokens: Any, answers: list[str] | None = None) -> Any:
        made = self.udpipe.Sentence()
        for form, upos, xpos, feats, lemma in tokens:
            word = made.addWord(form)
            word.upostag, word.xpostag, word.feats, word.lemma = upos, xpos, feats, lemma
        for i, answer in enumerate(answers or [], 1):
            head, relation = answer.split(" ", 1)
            made.setHead(i, int(head), relation)
        return made

    def sentences(self, split: Split) -> Any:
        made = self.udpipe.Sentences()
        for tokens, answers in zip(split.inputs, split.gold):
            made.push_back(self.sentence(tokens, answers))
        return made

    def train(self, train: Split, dev: Split | None, epochs: int | None = None) -> Training:
        iterations = epochs or EPOCHS
        if self.shared.is_file():
            return Training([], count=iterations, shared=True)
        error = self.udpipe.ProcessingError()
        held_out = self.sentences(dev) if dev is not None else self.udpipe.Sentences()
        model = self.udpipe.Trainer.train(
            "morphodita_parsito",
            self.sentences(train),
            held_out,
            "none",
            "none",
            OPTIONS.format(iterations),
            error,
        )
        if error.occurred():
            raise RuntimeError(error.message)
        self.shared.write_bytes(model)
        return Training([], count=iterations)

    def save(self, path: Path) -> Path:
        return self.shared

    def load(self, path: Path) -> None:
        self.model = self.udpipe.Model.load(str(path))

    def tag(self, inputs: Tokens) -> Tags:
        return [self.parsed(sentence) for sentence in self.prepare(inputs)]

    def parsed(self, sentence: Any) -> list[str]:
        self.model.parse(sentence, self.how)
        words = sentence.words
        return [f"{words[i].head} {words[i].deprel}" for i in range(1, len(words))]

    def prepare(self, inputs: Tokens) -> list[Any]:
        return [self.sentence(tokens) for tokens in inputs]

    def decode(self, prepared: list[Any]) -> None:
        for sentence in prepared:
            self.model.parse(sentence, self.how)


def make(name: str, task: Task, scratch: Path, beam: int) -> UDPipe:
    return UDPipe(name, scratch, beam)
