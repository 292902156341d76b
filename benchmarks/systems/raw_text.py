"""From raw text to CoNLL-U: structron's pipeline and its peers, trained on the same files.

Every system has `train` (from two files of CoNLL-U), `load` and `analyse` (from a text to CoNLL-U, a str).
Paragraphs of the text are apart by an empty line. A peer without some part leaves its columns empty; `parts`
says what it fills.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from systems import require

CUT = ("Tokens", "Sentences", "Words")
ALL = (*CUT, "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX")

# Usual are 100 epochs of the tokenizer too, which would take hours.
UDPIPE_EPOCHS = int(os.environ.get("UDPIPE_EPOCHS", "10"))
UDPIPE_TOKENIZER_EPOCHS = int(os.environ.get("UDPIPE_TOKENIZER_EPOCHS", "10"))


class Analyser(Protocol):
    """One system; its name is that of `ANALYSERS`."""

    version: str
    settings: str
    parts: tuple[str, ...]

    def train(self, train: Path, dev: Path, model: Path) -> None: ...

    def load(self, model: Path) -> None: ...

    def analyse(self, text: str) -> str: ...


class Structron:
    parts = ALL

    def __init__(self, settings: str) -> None:
        self.version = "structron " + version("structron")
        self.how = settings
        self.settings = f"`train pipeline --prefer {settings}`"
        self.nlp: Any = None

    def train(self, train: Path, dev: Path, model: Path) -> None:
        from structron import Pipeline
        from structron.io import read

        Pipeline(prefer=self.how).fit(read(train), dev=read(dev)).save(model)

    def load(self, model: Path) -> None:
        import structron

        self.nlp = structron.load(model)

    def analyse(self, text: str) -> str:
        return str(self.nlp(text).to_conllu())


class UDPipe:
    parts = ALL

    def __init__(self) -> None:
        self.udpipe = require("ufal.udpipe", "ufal.udpipe")
        self.version = "ufal.udpipe " + version("ufal.udpipe")
        self.settings = (
            f"{UDPIPE_TOKENIZER_EPOCHS} epochs of the tokenizer, {UDPIPE_EPOCHS} of tagger and parser "
            "(dynamic oracle, no structured steps, which double the time); beam 5, its default"
        )
        self.whole: Any = None

    def sentences(self, path: Path) -> Any:
        reader = self.udpipe.InputFormat.newConlluInputFormat()
        reader.setText(text_of(path))
        found = self.udpipe.Sentences()
        error = self.udpipe.ProcessingError()
        while True:
            sentence = self.udpipe.Sentence()
            if not reader.nextSentence(sentence, error):
                break
            found.push_back(sentence)
        if error.occurred():
            raise RuntimeError(error.message)
        return found

    def train(self, train: Path, dev: Path, model: Path) -> None:
        error = self.udpipe.ProcessingError()
        parser = "transition_system=projective;transition_oracle=dynamic;structured_interval=0;"
        parser += "hidden_layer=200;batch_size=10;learning_rate=0.02;l2=0.5"
        learned = self.udpipe.Trainer.train(
            "morphodita_parsito",
            self.sentences(train),
            self.udpipe.Sentences(),
            f"epochs={UDPIPE_TOKENIZER_EPOCHS};early_stopping=0",
            f"iterations={UDPIPE_EPOCHS}",
            f"iterations={UDPIPE_EPOCHS};{parser}",
            error,
        )
        if error.occurred():
            raise RuntimeError(error.message)
        model.write_bytes(learned)

    def load(self, model: Path) -> None:
        default = self.udpipe.Pipeline.DEFAULT
        self.model = self.udpipe.Model.load(str(model))  # the pipeline does not keep it alive
        self.whole = self.udpipe.Pipeline(self.model, "tokenize", default, default, "conllu")

    def analyse(self, text: str) -> str:
        error = self.udpipe.ProcessingError()
        found = self.whole.process(text, error)
        if error.occurred():
            raise RuntimeError(error.message)
        return str(found)


class Punkt:
    """NLTK's sentence splitter, learned without answers from the training text, and its rules for words."""

    parts = CUT

    def __init__(self) -> None:
        self.punkt = require("nltk.tokenize.punkt", "nltk")
        self.words = require("nltk.tokenize", "nltk").NLTKWordTokenizer()
        self.version = "nltk " + version("nltk")
        self.settings = "Punkt trained on the training text; words by its rules for English"
        self.splitter: Any = None

    def train(self, train: Path, dev: Path, model: Path) -> None:
        # It has no model file but a pickle: it learns when loaded.
        model.write_text(raw(train), encoding="utf-8")

    def load(self, model: Path) -> None:
        trainer = self.punkt.PunktTrainer()
        trainer.INCLUDE_ALL_COLLOCS = True
        trainer.train(model.read_text(encoding="utf-8"))
        self.splitter = self.punkt.PunktSentenceTokenizer(trainer.get_params())

    def analyse(self, text: str) -> str:
        return "".join(
            plain_conllu([sentence[begin:end] for begin, end in self.words.span_tokenize(sentence)])
            for paragraph in text.split("\n\n")
            for sentence in self.splitter.tokenize(paragraph)
        )


class SpaCy:
    """The rules for English words that spaCy comes with, and its rule-based sentences; neither is learned."""

    parts = CUT

    def __init__(self) -> None:
        self.spacy = require("spacy", "spacy")
        self.version = "spacy " + version("spacy")
        self.settings = "blank('en') with its sentencizer: rules, nothing learned"
        self.nlp: Any = None

    def train(self, train: Path, dev: Path, model: Path) -> None:
        model.write_bytes(b"")

    def load(self, model: Path) -> None:
        self.nlp = self.spacy.blank("en")
        self.nlp.add_pipe("sentencizer")
        self.nlp.max_length = 10**9

    def analyse(self, text: str) -> str:
        documents = self.nlp.pipe(text.split("\n\n"))
        sentences = ([w.text for w in s if not w.is_space] for doc in documents for s in doc.sents)
        return "".join(plain_conllu(words) for words in sentences if words)


ANALYSERS: dict[str, Any] = {
    "structron-fast": lambda: Structron("speed"),
    "structron-balance": lambda: Structron("balance"),
    "structron-accurate": lambda: Structron("accuracy"),
    "udpipe": UDPipe,
    "punkt": Punkt,
    "spacy-rules": SpaCy,
}


def plain_conllu(words: list[str]) -> str:
    """Return words alone as CoNLL-U; the scorer wants a tree, so all hang on the first."""
    rows = (
        f"{i}\t{word}\t_\t_\t_\t_\t{int(i > 1)}\t{'dep' if i > 1 else 'root'}\t_\t_\n"
        for i, word in enumerate(words, 1)
    )
    return "".join(rows) + "\n" if words else ""


def text_of(path: Path) -> str:
    """Return the file's text; `.gz` is unpacked."""
    import gzip

    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")


def raw(path: Path) -> str:
    """Return the running text of a treebank, with empty lines between its paragraphs."""
    paragraphs: list[str] = []
    for begins, text in _pieces(text_of(path)):
        if begins or not paragraphs:
            paragraphs.append(text)
        else:
            paragraphs[-1] += text
    return "\n\n".join(paragraph.strip() for paragraph in paragraphs) + "\n"


def _pieces(conllu: str) -> Iterator[tuple[bool, str]]:
    """Yield each sentence: whether a paragraph begins with it, and its text, with a blank if one follows."""
    for sentence in conllu.strip().split("\n\n"):
        lines = sentence.split("\n")
        begins = any(line.startswith(("# newpar", "# newdoc")) for line in lines)
        (text,) = (line[len("# text =") :].strip() for line in lines if line.startswith("# text ="))
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        covered = {
            number: row[9]
            for row in rows
            if "-" in row[0]
            for number in range(int(row[0].split("-")[0]), int(row[0].split("-")[1]) + 1)
        }
        last = next(row for row in reversed(rows) if row[0].isdigit())
        tight = "SpaceAfter=No" in covered.get(int(last[0]), last[9])
        yield begins, text if tight else text + " "
