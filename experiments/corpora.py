"""The corpora of the experiments: where their files lie and how they become words with tags or trees.

Every token is a tuple of columns: the word, and what the experiment's templates read besides it.
"""

from __future__ import annotations

import gzip
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from structron import Tagger
from structron.io import Tree, read, tree_of
from structron.synthetic import generate_treebank

Words = list[list[str]]
Tokens = list[list[tuple[str, ...]]]
Tags = list[list[str]]
Gold = Tags | list[Tree]
PARTS = ("train", "dev", "test")
UNKNOWN = "<unk>"
QUICK_SENTENCES = 400


class DataMissing(Exception):
    """The corpora are not where the experiments look for them."""


@dataclass(frozen=True)
class Corpus:
    """Three parts, each a list of sentences and a list of their tags, or of their trees."""

    name: str
    title: str
    train: tuple[Tokens, Gold]
    dev: tuple[Tokens, Gold]
    test: tuple[Tokens, Gold]

    def part(self, name: str) -> tuple[Tokens, Gold]:
        return {"train": self.train, "dev": self.dev, "test": self.test}[name]


def folder() -> Path:
    """Return the folder of the corpora: `$STRUCTRON_DATA`, or `../shared/data` beside the checkout."""
    named = os.environ.get("STRUCTRON_DATA")
    return Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"


def find(name: str) -> Path:
    """Return a file of the data folder; `DataMissing` with one sentence when it is absent."""
    path = folder() / name
    if not path.is_file():
        where = "$STRUCTRON_DATA" if "STRUCTRON_DATA" in os.environ else "../shared/data"
        raise DataMissing(
            f"experiments: {where} has no {name}; set STRUCTRON_DATA to the folder of the corpora, "
            "or name the experiments to run"
        )
    return path


# The Brown tag set writes headline, title, cited word, foreign word, negation and contraction into the tag.
_MARKS = re.compile(r"(-(?:tl|hl|nc))+$")


def simple_tag(tag: str) -> str:
    """Return a Brown tag without its marks, and of a contraction the first part: ``ppss+bem`` is ``ppss``.

    >>> [simple_tag(tag) for tag in ("fw-nn-tl", "bedz*", "ppss+bem", "*", "--")]
    ['nn', 'bedz', 'ppss', '*', '--']
    """
    bare = _MARKS.sub("", tag.removeprefix("fw-"))
    first = _MARKS.sub("", bare.split("+")[0] or bare)
    return first.rstrip("*") or first


def replace_rare(words: Words, counts: Counter[str]) -> Tokens:
    """Return tokens of two columns: the word for its spelling, and the word or ``<unk>`` for its identity.

    Words that occur once in training are unknown there too, so that something is learned about ``<unk>``.
    """
    return [[(word, word if counts[word] > 1 else UNKNOWN) for word in sentence] for sentence in words]


def tagging(name: str, title: str, parts: dict[str, tuple[Words, Tags]]) -> Corpus:
    """Return a part-of-speech corpus with the one-count words of its training part replaced."""
    counts = Counter(word for sentence in parts["train"][0] for word in sentence)
    made = {part: (replace_rare(words, counts), tags) for part, (words, tags) in parts.items()}
    return Corpus(name, title, **made)


def _penn(part: str) -> Iterator[tuple[list[str], list[str]]]:
    for sentence in read(find(f"ptb_sample/pos.{part}.tsv.gz"), format="columns"):
        yield sentence.words(), sentence.column(1)


def _ewt(part: str) -> Iterator[tuple[list[str], list[str]]]:
    for sentence in read(find(f"ud/UD_English-EWT/en_ewt-ud-{part}.conllu.gz")):
        yield sentence.words(), sentence.column("xpos")


def _chinese(part: str) -> Iterator[tuple[list[str], list[str]]]:
    for sentence in read(find(f"ud/UD_Chinese-GSD/zh-ud-{part}.conllu.gz")):
        yield sentence.words(), sentence.column("xpos")


def _brown(part: str) -> Iterator[tuple[list[str], list[str]]]:
    with gzip.open(find(f"pos/brown/brown.{part}.tsv.gz"), "rt", encoding="utf-8") as lines:
        for line in lines:
            pairs = [token.rpartition("/") for token in line.rstrip("\n").split("\t")[2].split()]
            yield [word for word, _, _ in pairs], [simple_tag(tag) for _, _, tag in pairs]


def _synthetic(part: str) -> Iterator[tuple[list[str], list[str]]]:
    size = {"train": 800, "dev": 200, "test": 200}[part]
    for tree in generate_treebank(size, np.random.default_rng(PARTS.index(part))):
        yield list(tree.words), list(tree.tags)


TAGGING: dict[str, tuple[str, Callable[[str], Iterator[tuple[list[str], list[str]]]]]] = {
    "penn": ("Penn Treebank sample", _penn),
    "ewt": ("UD English-EWT, XPOS", _ewt),
    "brown": ("Brown corpus, simple tags", _brown),
    "chinese": ("UD Chinese-GSD, XPOS", _chinese),
    "synthetic": ("synthetic treebank", _synthetic),
}


def _noun_phrases(quick: bool) -> Corpus:
    """Return CoNLL-2000 with noun phrases only; every tenth training sentence is held out as dev part."""

    def sentences(part: str) -> tuple[Tokens, Tags]:
        tokens: Tokens = []
        tags: Tags = []
        for sentence in read(find(f"chunking/conll2000/{part}.txt.gz"), format="columns"):
            tokens.append(list(zip(sentence.words(), sentence.column(1))))
            tags.append([tag if tag.endswith("-NP") else "O" for tag in sentence.column(2)])
        return tokens, tags

    tokens, tags = sentences("train")
    held = set(range(9, len(tokens), 10))
    kept = [i for i in range(len(tokens)) if i not in held][: QUICK_SENTENCES if quick else None]
    train = [tokens[i] for i in kept], [tags[i] for i in kept]
    dev = [tokens[i] for i in sorted(held)], [tags[i] for i in sorted(held)]
    return Corpus("np", "CoNLL-2000 noun phrases", train, dev, sentences("test"))


def _penn_trees(part: str) -> Iterator[tuple[list[tuple[str, ...]], Tree]]:
    for sentence in read(find(f"ptb_sample/dep.{part}.tsv.gz"), format="columns"):
        yield list(zip(sentence.words(), sentence.column(1))), tree_of(sentence)


def _ewt_trees(part: str) -> Iterator[tuple[list[tuple[str, ...]], Tree]]:
    for sentence in read(find(f"ud/UD_English-EWT/en_ewt-ud-{part}.conllu.gz")):
        yield list(zip(sentence.words(), sentence.column("xpos"))), tree_of(sentence)


def _synthetic_trees(part: str) -> Iterator[tuple[list[tuple[str, ...]], Tree]]:
    size = {"train": 500, "dev": 150, "test": 150}[part]
    for tree in generate_treebank(size, np.random.default_rng(PARTS.index(part))):
        yield list(zip(tree.words, tree.tags)), Tree(list(tree.heads), list(tree.labels))


# Treebanks of Universal Dependencies: folder, and how their files begin.
LANGUAGES = {
    "english": ("UD_English-EWT", "en_ewt"),
    "chinese": ("UD_Chinese-GSD", "zh"),
    "greek": ("UD_Greek-GDT", "el_gdt"),
    "italian": ("UD_Italian-ParTUT", "it_partut"),
    "turkish": ("UD_Turkish-IMST", "tr_imst"),
    "basque": ("UD_Basque-BDT", "eu"),
    "hungarian": ("UD_Hungarian-Szeged", "hu_szeged"),
}
COLUMNS = ("upos", "xpos", "feats", "lemma")


def _language_trees(language: str, part: str) -> Iterator[tuple[list[tuple[str, ...]], Tree]]:
    """Yield trees over words with all columns that templates can see."""
    treebank, start = LANGUAGES[language]
    for sentence in read(find(f"ud/{treebank}/{start}-ud-{part}.conllu.gz")):
        columns = [sentence.column(name) for name in COLUMNS]
        yield list(zip(sentence.words(), *columns)), tree_of(sentence)


def _basque_2007(part: str) -> Iterator[tuple[list[tuple[str, ...]], Tree]]:
    """Yield the trees of CoNLL 2007 with the columns of the others; there is no dev part."""
    if part == "dev":
        return
    text = gzip.decompress(find(f"conll2007/eus.{part}.gz").read_bytes()).decode("iso-8859-1")
    for block in text.strip().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n")]
        tokens = [(form, coarse, fine, feats, lemma) for _, form, lemma, coarse, fine, feats, *_ in rows]
        yield tokens, Tree([int(row[6]) for row in rows], [row[7] for row in rows])


PARSING: dict[str, tuple[str, Callable[[str], Iterator[tuple[list[tuple[str, ...]], Tree]]]]] = {
    "penn-trees": ("Penn Treebank sample", _penn_trees),
    "penn-predicted-trees": ("Penn Treebank sample, predicted tags", _penn_trees),
    "ewt-trees": ("UD English-EWT", _ewt_trees),
    "synthetic-trees": ("synthetic treebank", _synthetic_trees),
    **{
        f"{language}-trees": (treebank.replace("_", " "), partial(_language_trees, language))
        for language, (treebank, _) in LANGUAGES.items()
    },
    "basque2007-trees": ("CoNLL-2007 Basque", _basque_2007),
}

# Treebanks with the tags of a tagger, and which one they are made of.
PREDICTED = {"penn-predicted-trees": "penn-trees"}
FOLDS = 10


def _predicted(name: str, title: str, quick: bool) -> Corpus:
    """Return a treebank whose tags a tagger predicted, in training from nine parts for the tenth."""
    gold = load(name, quick)
    words = {part: [[word for word, *_ in x] for x in gold.part(part)[0]] for part in PARTS}
    tags = [[tag for _, tag in x] for x in gold.train[0]]

    def tagger(places: list[int]) -> Tagger:
        made = Tagger(search="beam:4+merge", update="max_violation", epochs=10, seed=0, trials=0)
        return made.fit([words["train"][i] for i in places], [tags[i] for i in places])

    found: dict[str, list[list[str]]] = {"train": [[] for _ in tags]}
    for fold in range(FOLDS):
        rest = tagger([i for i in range(len(tags)) if i % FOLDS != fold])
        for i, guess in zip(range(fold, len(tags), FOLDS), rest.predict(words["train"][fold::FOLDS])):
            found["train"][i] = list(guess)
    whole = tagger([*range(len(tags))])
    for part in ("dev", "test"):
        found[part] = [list(guess) for guess in whole.predict(words[part])]
    parts = {
        part: ([list(zip(x, y)) for x, y in zip(words[part], found[part])], gold.part(part)[1])
        for part in PARTS
    }
    return Corpus(f"{name}-predicted", title, **parts)  # type: ignore[arg-type]


def _treebank(name: str, quick: bool) -> Corpus:
    """Return a treebank, with gold tags unless it is one of those with predicted ones."""
    title, sentences = PARSING[name]
    if name in PREDICTED:
        return _predicted(PREDICTED[name], title, quick)
    parts: dict[str, tuple[Tokens, Gold]] = {}
    for part in PARTS:
        pairs = list(sentences(part))[: QUICK_SENTENCES if quick else None]
        parts[part] = [tokens for tokens, _ in pairs], [tree for _, tree in pairs]
    return Corpus(name, title, **parts)


@cache
def load(name: str, quick: bool = False) -> Corpus:
    """Read a corpus; `quick` takes the first few hundred training sentences only."""
    if name == "np":
        return _noun_phrases(quick)
    if name in PARSING:
        return _treebank(name, quick)
    title, sentences = TAGGING[name]
    parts: dict[str, tuple[Words, Tags]] = {}
    for part in PARTS:
        words, tags = [], []
        for sentence, gold in sentences(part):
            words.append(sentence)
            tags.append(gold)
        few = QUICK_SENTENCES if quick else None
        parts[part] = words[:few], tags[:few]
    return tagging(name, title, parts)
