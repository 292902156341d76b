"""How should features and lemmas be predicted? `python benchmarks/morphology.py [TREEBANK]...`

On the first 3,000 training sentences of treebanks of `$STRUCTRON_DATA/ud`, scored on their dev sets; prints a
table of accuracies, which chose the pipeline's ways.

FEATS (accuracy of the whole string; words alone are given):

- whole: each different string is a label;
- after UPOS: the same, with tags that a tagger has predicted (jackknifed in training) as a column;
- joint: UPOS and FEATS together are one label;
- by attribute: a tagger for each of Case, Number, ...; their answers are put together.

Lemmas (gold tags are given): edit scripts as labels with known words first; the scripts alone; and a
transducer that reads the letters and the tag, with known words first.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

from corpora import folder

from structron import Tagger, Transducer
from structron.io import Sentence, read
from structron.metrics import accuracy
from structron.tasks.lemmatisation import Lemmatizer
from structron.tasks.parsing.fitting.jackknife import jackknife
from structron.tasks.pipeline.settings import FEATS_TEMPLATES

TREEBANKS = ("English-EWT", "Turkish-IMST", "Hungarian-Szeged", "Czech-CLTT", "Basque-BDT", "Italian-ParTUT")
SENTENCES = 3000
NONE = "_"

Column = list[list[str]]


def load(treebank: str, part: str) -> list[Sentence]:
    (path,) = (folder() / "ud" / f"UD_{treebank}").glob(f"*-{part}.conllu.gz")
    return [sentence for _, sentence in zip(range(SENTENCES), read(path))]


def column(sentences: Sequence[Sentence], name: str) -> Column:
    return [sentence.column(name) for sentence in sentences]


def tagger(**settings: object) -> Tagger:
    return Tagger(epochs=6, constraints=None, **settings)  # type: ignore[arg-type]


def zipped(*columns: Column) -> list[list[tuple[str, ...]]]:
    return [list(zip(*each)) for each in zip(*columns)]


def feats_whole(train: Sequence[Sentence], dev: Sequence[Sentence]) -> Column:
    return tagger().fit(column(train, "form"), column(train, "feats")).predict(column(dev, "form"))


def feats_after_upos(train: Sequence[Sentence], dev: Sequence[Sentence]) -> Column:
    words, held_out = column(train, "form"), column(dev, "form")
    tags, upos = jackknife(tagger, words, column(train, "upos"), 4)
    own = tagger(templates=FEATS_TEMPLATES).fit(zipped(words, tags), column(train, "feats"))
    return own.predict(zipped(held_out, upos.predict(held_out)))


def feats_joint(train: Sequence[Sentence], dev: Sequence[Sentence]) -> Column:
    both = [
        [" ".join(pair) for pair in each] for each in zipped(column(train, "upos"), column(train, "feats"))
    ]
    found = tagger().fit(column(train, "form"), both).predict(column(dev, "form"))
    return [[label.partition(" ")[2] for label in each] for each in found]


def feats_by_attribute(train: Sequence[Sentence], dev: Sequence[Sentence]) -> Column:
    split = [[dict(_pairs(feats)) for feats in each] for each in column(train, "feats")]
    names = sorted({name for each in split for feats in each for name in feats}, key=str.lower)
    answers = []
    for name in names:
        values = [[feats.get(name, NONE) for feats in each] for each in split]
        answers.append(tagger().fit(column(train, "form"), values).predict(column(dev, "form")))
    made = []
    for each in zipped(*answers):
        pairs = ([f"{n}={v}" for n, v in zip(names, values) if v != NONE] for values in each)
        made.append(["|".join(pair) or NONE for pair in pairs])
    return made


def _pairs(feats: str) -> list[tuple[str, str]]:
    return [(a, b) for a, _, b in (each.partition("=") for each in feats.split("|")) if a != NONE]


def lemmas_scripts(train: Sequence[Sentence], dev: Sequence[Sentence]) -> Column:
    return Lemmatizer().fit(train).predict(dev)


def lemmas_scripts_alone(train: Sequence[Sentence], dev: Sequence[Sentence]) -> Column:
    return Lemmatizer(least_tags=3).fit(train).predict(dev)  # no word has three tags: none is known


def lemmas_transducer(train: Sequence[Sentence], dev: Sequence[Sentence]) -> Column:
    words = zipped(*(column(train, name) for name in ("form", "upos", "feats")))
    pairs = zip(words, column(train, "lemma"))
    targets = {word: lemma for pair in pairs for word, lemma in zip(*pair)}
    own = Transducer(epochs=8).fit([_symbols(word) for word in targets], [list(t) for t in targets.values()])
    lemmatizer = Lemmatizer(epochs=1).fit(train)
    task = lemmatizer.model_.task
    new = zipped(*(column(dev, name) for name in ("form", "upos", "feats")))
    open_words = sorted({word for each in new for word in each if task.known_lemma(word) is None})
    found = dict(zip(open_words, own.predict([_symbols(word) for word in open_words])))
    return [
        ["".join(found.get(word, ())) or task.known_lemma(word) or word[0] for word in each] for each in new
    ]


def _symbols(word: tuple[str, ...]) -> list[str]:
    form, *tags = word
    return [*form, "/".join(tags)]


WAYS: dict[str, tuple[str, Callable[[Sequence[Sentence], Sequence[Sentence]], Column]]] = {
    "FEATS whole": ("feats", feats_whole),
    "FEATS after UPOS": ("feats", feats_after_upos),
    "FEATS joint": ("feats", feats_joint),
    "FEATS by attribute": ("feats", feats_by_attribute),
    "lemmas, scripts": ("lemma", lemmas_scripts),
    "lemmas, scripts alone": ("lemma", lemmas_scripts_alone),
    "lemmas, transducer": ("lemma", lemmas_transducer),
}


def main() -> None:
    treebanks = sys.argv[1:] or TREEBANKS
    print(f"| dev accuracy (CPU s) | {' | '.join(treebanks)} |\n|---|{'---|' * len(treebanks)}")
    data = {treebank: (load(treebank, "train"), load(treebank, "dev")) for treebank in treebanks}
    for name, (target, way) in WAYS.items():
        cells = []
        for train, dev in data.values():
            began = time.process_time()
            score = 100 * accuracy(column(dev, target), way(train, dev))
            cells.append(f"{score:.2f} ({time.process_time() - began:.0f})")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
