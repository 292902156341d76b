"""Sentences of a text, and tokens where they are comparable: structron's segmenter and its peers.

Every system has `train` (from the treebank and lines of raw text) and `split` (from a text to the places of
its sentences and tokens). A peer whose tokens follow other conventions than the treebank gives none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from systems import require
from systems.raw_text import UDPIPE_TOKENIZER_EPOCHS, UDPipe

Span = tuple[int, int]
Found = tuple[list[Span], list[Span] | None]
SENTER_EPOCHS = int(os.environ.get("SPACY_EPOCHS", "10"))


class Splitter(Protocol):
    """One system; its name is that of `SPLITTERS`."""

    version: str
    settings: str

    def train(self, train: Path, dev: Path, text: list[Path], model: Path) -> None: ...

    def load(self, model: Path) -> None: ...

    def split(self, text: str) -> Found: ...


class Structron:
    def __init__(self, with_text: bool) -> None:
        self.with_text = with_text
        self.version = "structron " + version("structron")
        self.settings = "`train segmentation` on EWT" + (", `--text` as Punkt" if with_text else "")
        self.own: Any = None

    def train(self, train: Path, dev: Path, text: list[Path], model: Path) -> None:
        from structron import Segmenter
        from structron.io import read

        given = list(map(str, text)) if self.with_text else "none"
        Segmenter(half=True, text=given).fit(list(read(train)), dev=list(read(dev))).save(model)

    def load(self, model: Path) -> None:
        from structron import Segmenter

        self.own = Segmenter.load(str(model))

    def split(self, text: str) -> Found:
        found = self.own.predict(text)
        return [(s.start, s.end) for s in found], [(t.start, t.end) for s in found for t in s.tokens]


class Shipped(Structron):
    """The pipeline that comes with structron."""

    def __init__(self) -> None:
        super().__init__(True)
        self.settings = "`en`, as it comes"

    def train(self, train: Path, dev: Path, text: list[Path], model: Path) -> None:
        model.write_bytes(b"")

    def load(self, model: Path) -> None:
        import structron

        self.own = structron.load("en")

    def split(self, text: str) -> Found:
        tokens = [[(t.start, t.end) for t in s.tokens] for s in self.own(text).sentences]
        return [(own[0][0], own[-1][1]) for own in tokens], [span for own in tokens for span in own]


class UDPipeTokenizer(UDPipe):
    def __init__(self) -> None:
        super().__init__()
        self.settings = f"its tokenizer alone on EWT, {UDPIPE_TOKENIZER_EPOCHS} epochs"

    def train(self, train: Path, dev: Path, text: Any, model: Path | None = None) -> None:  # type: ignore[override]
        assert model is not None
        error = self.udpipe.ProcessingError()
        how = f"epochs={UDPIPE_TOKENIZER_EPOCHS}"
        learned = self.udpipe.Trainer.train(
            "morphodita_parsito", self.sentences(train), self.sentences(dev), how, "none", "none", error
        )
        if error.occurred():
            raise RuntimeError(error.message)
        model.write_bytes(learned)

    def load(self, model: Path) -> None:
        self.model = self.udpipe.Model.load(str(model))

    def split(self, text: str) -> Found:
        reader = self.model.newTokenizer("ranges")
        reader.setText(text)
        sentence, error = self.udpipe.Sentence(), self.udpipe.ProcessingError()
        sentences, tokens = [], []
        while reader.nextSentence(sentence, error):
            own = list(_ranges(sentence))
            sentences.append((own[0][0], own[-1][1]))
            tokens += own
            sentence = self.udpipe.Sentence()
        if error.occurred():
            raise RuntimeError(error.message)
        return sentences, tokens


def _ranges(sentence: Any) -> Iterator[Span]:
    several = {token.idFirst: token for token in sentence.multiwordTokens}
    skipped = 0
    for word in list(sentence.words)[1:]:
        if word.id <= skipped:
            continue
        token = several.get(word.id, word)
        skipped = getattr(token, "idLast", word.id)
        yield token.getTokenRangeStart(), token.getTokenRangeEnd()


class Punkt:
    def __init__(self) -> None:
        self.punkt = require("nltk.tokenize.punkt", "nltk")
        self.version = "nltk " + version("nltk")
        self.settings = "Punkt trained on the raw text; all collocations"
        self.splitter: Any = None

    def train(self, train: Path, dev: Path, text: list[Path], model: Path) -> None:
        import pickle

        trainer = self.punkt.PunktTrainer()
        trainer.INCLUDE_ALL_COLLOCS = True
        for path in text:
            trainer.train(path.read_text(encoding="utf-8"), finalize=False)
        model.write_bytes(pickle.dumps(trainer.get_params()))

    def load(self, model: Path) -> None:
        import pickle

        self.splitter = self.punkt.PunktSentenceTokenizer(pickle.loads(model.read_bytes()))

    def split(self, text: str) -> Found:
        return [*self.splitter.span_tokenize(text)], None


class SpaCy:
    def __init__(self, component: str) -> None:
        self.spacy = require("spacy", "spacy")
        self.component = component
        self.version = "spacy " + version("spacy")
        learned = f"`senter` from scratch on EWT, {SENTER_EPOCHS} epochs"
        self.settings = "`sentencizer`: rules" if component == "sentencizer" else learned
        self.nlp: Any = None

    def train(self, train: Path, dev: Path, text: list[Path], model: Path) -> None:
        import random

        from spacy.training import Example

        nlp = self.spacy.blank("en")
        nlp.add_pipe(self.component)
        if self.component == "senter":
            self.spacy.util.fix_random_seed(0)
            examples = [*_examples(nlp, Example, train)]
            optimizer = nlp.initialize(lambda: examples[:500])
            chance = random.Random(0)
            for _ in range(SENTER_EPOCHS):
                chance.shuffle(examples)
                for batch in self.spacy.util.minibatch(examples, 64):
                    nlp.update(batch, sgd=optimizer, drop=0.1)
        model.write_bytes(nlp.to_bytes())

    def load(self, model: Path) -> None:
        self.nlp = self.spacy.blank("en")
        self.nlp.add_pipe(self.component)
        self.nlp.from_bytes(model.read_bytes())

    def split(self, text: str) -> Found:
        doc = self.nlp(text)
        found = []
        for sentence in doc.sents:
            whole = [token for token in sentence if not token.is_space]
            if whole:
                found.append((whole[0].idx, whole[-1].idx + len(whole[-1])))
        return found, None


def _examples(nlp: Any, example: Any, path: Path) -> Iterator[Any]:
    """Yield the passages of a treebank, in spaCy's tokens, with which of them begin sentences."""
    from structron.io import read
    from structron.segments.passages import passages

    for passage in passages(list(read(path)), 8):
        begins = {begin for begin, _, flags in passage.tokens if flags & 1}
        doc = nlp.make_doc(passage.text)
        starts = [1 if token.idx in begins else -1 for token in doc]
        yield example.from_dict(doc, {"sent_starts": starts})


class PySBD:
    def __init__(self) -> None:
        self.pysbd = require("pysbd", "pysbd")
        self.version = "pysbd " + version("pysbd")
        self.settings = "its rules for English"

    def train(self, train: Path, dev: Path, text: list[Path], model: Path) -> None:
        model.write_bytes(b"")

    def load(self, model: Path) -> None:
        self.splitter = self.pysbd.Segmenter(language="en", clean=False, char_span=True)

    def split(self, text: str) -> Found:
        found = []
        for span in self.splitter.segment(text):
            inside = text[span.start : span.end]
            begin = span.start + len(inside) - len(inside.lstrip())
            if inside.strip():
                found.append((begin, begin + len(inside.strip())))
        return found, None


SPLITTERS: dict[str, Any] = {
    "en": Shipped,
    "structron": lambda: Structron(True),
    "structron, no text": lambda: Structron(False),
    "udpipe": UDPipeTokenizer,
    "punkt": Punkt,
    "spacy-rules": lambda: SpaCy("sentencizer"),
    "spacy-senter": lambda: SpaCy("senter"),
    "pysbd": PySBD,
}
