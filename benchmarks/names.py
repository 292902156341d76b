"""Names beside CRFsuite and spaCy: `python benchmarks/names.py [--clusters FILE | --text FILE] [...]`

WNUT-17 (new names in noisy text), WikiGold (Wikipedia; its parts as in clusters.py) and, as a third corpus,
UD English-GUM: its mentions of persons, places and other things whose head is a proper noun, the outermost of
them. Ours is the bare `Tagger()`, whose epoch is chosen on dev, three seeds; with `--clusters` also one that
looks at a file of word clusters. CRFsuite has the features and settings of python-crfsuite's own example of
names (word, affixes, casing, and the same of both neighbours; L-BFGS, c1 = 1, c2 = 0.001, 50 iterations), and
its averaged perceptron the same features for ten iterations. spaCy is its `ner` from scratch, without word
vectors (`--systems spacy`; `SPACY_EPOCHS`, of which 10 are usual here). The corpus `web` is what the names of
`en` are learned from (models/make.py) and the test part of Universal NER's English-EWT, words as in gold; it
has no dev part, and the `en` that ships is measured on it. `--text` measures ours and CRFsuite with
clusters that were kept beside a text, and nothing else: CRFsuite gets those that our templates look at. F1 of
spans on the test part, CPU times.

Written: benchmarks/results/names.json and .md; rows that are not asked for stay as they were.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from clusters import emerging, wikigold
from corpora import folder
from systems import Unavailable, spacy_names

from structron import Tagger
from structron.features.clusters import WordClusters
from structron.fit.data.word_lists import clusters_of
from structron.io import Sentence, read
from structron.io.files.atomic_write import write_atomically
from structron.metrics import span_f1
from structron.tasks.pipeline.names.entities import labels_of

RESULTS = Path(__file__).parent / "results"
SYSTEMS = ("structron", "en", "crfsuite", "spacy")
Labelled = tuple[list[list[str]], list[list[str]]]
Answer = tuple[list[list[str]], float, float]  # labels, and CPU seconds of training and of labelling
Learn = Callable[[Labelled, Labelled | None, list[list[str]]], Answer]
_PIECE = re.compile(r"\(([^()]+)(\))?|([^()]+)\)")


def mentions(sentence: Sentence) -> list[tuple[int, int, str]]:
    """Return what GUM says is mentioned: first word, last word, type."""
    opened: dict[str, list[tuple[int, str]]] = {}
    found = []
    for at, misc in enumerate(sentence.column("misc")):
        told = next((each[7:] for each in misc.split("|") if each.startswith("Entity=")), "")
        for info, closed, ends in _PIECE.findall(told):
            number, _, rest = (info or ends).partition("-")
            if info and closed:
                found.append((at, at, rest.partition("-")[0]))
            elif info:
                opened.setdefault(number, []).append((at, rest.partition("-")[0]))
            elif opened.get(number):
                first, kind = opened[number].pop()
                found.append((first, at, kind))
    return found


def named(sentence: Sentence) -> list[str]:
    """Return labels B, I, O of the outermost mentions that are headed by a proper noun."""
    heads = [int(head) - 1 for head in sentence.column("head")]
    upos = sentence.column("upos")
    labels = ["O"] * len(heads)
    for first, last, kind in sorted(mentions(sentence), key=lambda each: each[0] - each[1]):
        inside = range(first, last + 1)
        is_named = any(upos[i] == "PROPN" and heads[i] not in inside for i in inside)
        if is_named and all(labels[i] == "O" for i in inside):
            labels[first : last + 1] = [f"B-{kind}", *[f"I-{kind}"] * (last - first)]
    return labels


def gum() -> tuple[Labelled, Labelled, Labelled]:
    def part(name: str) -> Labelled:
        (path,) = (folder() / "ud/UD_English-GUM").glob(f"*-{name}.conllu.gz")
        sentences = list(read(path))
        return [list(s.words()) for s in sentences], [named(s) for s in sentences]

    return part("train"), part("dev"), part("test")


def columns(parts: Callable[[], Any]) -> tuple[Labelled, Labelled, Labelled]:
    train, dev, test = (
        ([list(s.words()) for s in part], [list(s.column(len(s.format.columns) - 1)) for s in part])
        for part in parts()
    )
    return train, dev, test


def web() -> tuple[Labelled, None, Labelled]:
    """Return the labelled names of `en`, and the test part of EWT."""
    sys.path.append(str(Path(__file__).resolve().parents[1] / "models"))
    from make import labelled_names, names_to_score

    train, test = (
        ([list(s.words()) for s in part], [labels_of(s) for s in part])
        for part in (labelled_names(folder()), names_to_score(folder()))
    )
    return train, None, test


CORPORA: dict[str, Callable[[], tuple[Labelled, Labelled | None, Labelled]]] = {
    "wnut17": lambda: columns(emerging),
    "wikigold": lambda: columns(wikigold),
    "gum": gum,
    "web": web,
}


def features(words: list[str], clusters: WordClusters | None = None) -> list[list[str]]:
    """Return the features of python-crfsuite's example, and the clusters that our templates look at."""
    paths = [None if clusters is None else clusters.path(word) for word in words]

    def clustered(i: int) -> list[str]:
        near = [(at, paths[i + at]) for at in range(-2, 3) if 0 <= i + at < len(words)]
        seen = [f"cluster[{at}]={path}" for at, path in near if path is not None]
        return seen + [f"cluster({n})={path[:n]}" for n in (4, 6, 10) if (path := paths[i]) is not None]

    def shared(word: str, before: str) -> list[str]:
        return [
            f"{before}word.lower={word.lower()}",
            f"{before}word.istitle={word.istitle()}",
            f"{before}word.isupper={word.isupper()}",
        ]

    found = []
    for i, word in enumerate(words):
        own = ["bias", *shared(word, ""), f"word[-3:]={word[-3:]}", f"word[-2:]={word[-2:]}"]
        own.append(f"word.isdigit={word.isdigit()}")
        own += shared(words[i - 1], "-1:") if i else ["BOS"]
        own += shared(words[i + 1], "+1:") if i + 1 < len(words) else ["EOS"]
        found.append(own + clustered(i))
    return found


def crfsuite(algorithm: str, clusters: str = "none") -> Learn:
    def learn(train: Labelled, dev: Labelled | None, words: list[list[str]]) -> Answer:
        import pycrfsuite

        begin = time.process_time()
        known = clusters_of(clusters)
        trainer = pycrfsuite.Trainer(algorithm, verbose=False)
        usual = {"c1": 1.0, "c2": 1e-3, "max_iterations": 50, "feature.possible_transitions": True}
        trainer.set_params(usual if algorithm == "lbfgs" else {"max_iterations": 10})
        for x, y in zip(*train):
            trainer.append(features(x, known), y)
        with tempfile.TemporaryDirectory() as scratch:
            trainer.train(f"{scratch}/names")
            spent = time.process_time() - begin
            tagger = pycrfsuite.Tagger()
            tagger.open(f"{scratch}/names")
            begin = time.process_time()
            found = [tagger.tag(features(x, known)) for x in words]
            return found, spent, time.process_time() - begin

    return learn


def ours(seed: int, clusters: str) -> Learn:
    def learn(train: Labelled, dev: Labelled | None, words: list[list[str]]) -> Answer:
        begin = time.process_time()
        tagger = Tagger(seed=seed, clusters=clusters).fit(*train, dev=dev)
        spent = time.process_time() - begin
        begin = time.process_time()
        found = tagger.predict(words)
        return found, spent, time.process_time() - begin

    return learn


def shipped(train: Labelled, dev: Labelled | None, words: list[list[str]]) -> Answer:
    """Label words with the `en` that ships; nothing is learned."""
    import structron

    nlp = structron.load("en")
    begin = time.process_time()
    found = [labels_of(sentence) for sentence in nlp.predict(words)]
    return found, 0.0, time.process_time() - begin


def measure(corpus: str, runs: list[Learn]) -> dict[str, Any]:
    """Return F1 with its standard error, and what it takes: the medians of the runs."""
    train, dev, (words, gold) = CORPORA[corpus]()
    scores, learning, tagging = [], [], []
    for learn in runs:
        found, spent, taken = learn(train, dev, words)
        scores.append(100 * span_f1(gold, found).f1)
        learning.append(spent)
        tagging.append(sum(map(len, words)) / taken)
    error = statistics.stdev(scores) / len(scores) ** 0.5 if len(scores) > 1 else None
    return {
        "f1": round(statistics.mean(scores), 2),
        "error": None if error is None else round(error, 2),
        "train_s": round(statistics.median(learning), 1),
        "tok_s": round(statistics.median(tagging)),
    }


def chosen(names: list[str], corpus: str, clusters: str, text: str) -> dict[str, list[Learn]]:
    """Return the runs of each system that is asked for."""
    crf = {"L-BFGS": "lbfgs", "perceptron": "ap"}
    if text != "none":
        found = {"structron, text": [ours(seed, text) for seed in range(3)]}
        return found | {f"crfsuite, {name}, text": [crfsuite(kind, text)] for name, kind in crf.items()}
    found = {}
    if "structron" in names:
        found["structron"] = [ours(seed, "none") for seed in range(3)]
        if clusters != "none":
            found["structron, clusters"] = [ours(seed, clusters) for seed in range(3)]
    if "en" in names and corpus == "web":
        found["`en`, as it comes"] = [shipped]
    if "crfsuite" in names:
        found |= {f"crfsuite, {name}": [crfsuite(kind)] for name, kind in crf.items()}
    if "spacy" in names:
        found[f"spaCy, `ner` from scratch, {spacy_names.EPOCHS} epochs"] = [spacy_names.learn]
    return found


def page(record: dict[str, Any]) -> str:
    lines = [
        "# Names, compared with CRFsuite and spaCy",
        "",
        "`python benchmarks/names.py --clusters FILE`; F1 of spans on test parts, ours the mean of three",
        "seeds with its standard error; CPU times, one thread, from lists of str to lists of str.",
        "",
        "| corpus | system | F1 | training, CPU s | k tokens/s |",
        "|---|---|---:|---:|---:|",
    ]
    for corpus in CORPORA:
        for system, row in record.get(corpus, {}).items():
            error = "" if row["error"] is None else f" ± {row['error']:.2f}"
            costs = f"{row['train_s']:.1f} | {row['tok_s'] / 1000:.0f}"
            lines.append(f"| {corpus} | {system} | {row['f1']:.2f}{error} | {costs} |")
    lines += [
        "",
        "Clusters are counted over training texts, those of GUM and WNUT-17 among them; WikiGold is not.",
        "Rows with text: 1000 clusters of 36 million words of Wikipedia and books, which may have sentences",
        "of WikiGold in them, without labels; CRFsuite has the same clusters at the same places.",
        "Rows with clusters or text had fewer templates of clusters than the default has now (text.md).",
        "CRFsuite's usual features are fewer than ours; features.py compares learners with equal templates.",
        "The corpus `web` is what `en` learns names from and the test part of UNER English-EWT, gold words;",
        "`en` has clusters, tags and sentences that it labelled itself besides. spaCy has no word vectors.",
    ]
    return "\n".join([*lines, ""])


def below(file: Path) -> str:
    """Return what is written by hand below the table."""
    _, mark, text = file.read_text(encoding="utf-8").partition("\n## ") if file.is_file() else ("", "", "")
    return mark + text


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--corpora", nargs="+", default=list(CORPORA), choices=list(CORPORA))
    options.add_argument("--clusters", default="none")
    options.add_argument("--text", default="none")
    options.add_argument("--systems", nargs="+", default=SYSTEMS, choices=SYSTEMS)
    asked = options.parse_args()
    out = RESULTS / "names.json"
    record = json.loads(out.read_text(encoding="utf-8")) if out.is_file() else {}
    for corpus in asked.corpora:
        for system, runs in chosen(asked.systems, corpus, asked.clusters, asked.text).items():
            try:
                record.setdefault(corpus, {})[system] = measure(corpus, runs)
            except Unavailable as error:
                print(error, file=sys.stderr)
                continue
            print(corpus, system, record[corpus][system], file=sys.stderr, flush=True)
            write_atomically(out, json.dumps(record, indent=1) + "\n")
            table = out.with_suffix(".md")
            write_atomically(table, page(record) + below(table))


if __name__ == "__main__":
    main()
