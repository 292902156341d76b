"""Where do wrong lemmas come from? `python benchmarks/lemma_errors.py [MODEL [TREEBANK]]`

The dev set of a treebank of `$STRUCTRON_DATA/ud` (English-EWT) by a pipeline (`en`). Prints a table of the
lemmas that are wrong when words are given: whether only their casing is, whether the tag was right, and
whether the form was seen in training. Then the shares of lemmas that are right with gold tags, with
predicted tags, and (F1) from raw text, which says what tags and segmentation cost.
"""

from __future__ import annotations

import sys
from collections import Counter

from corpora import folder

import structron
from structron.io import Sentence, read
from structron.metrics import accuracy


def load(treebank: str, part: str) -> list[Sentence]:
    (path,) = (folder() / "ud" / f"UD_{treebank}").glob(f"*-{part}.conllu.gz")
    return list(read(path))


def column(sentences: list[Sentence], name: str) -> list[list[str]]:
    return [sentence.column(name) for sentence in sentences]


def kind_of(lemma: str, guess: str) -> str:
    return "casing" if lemma.lower() == guess.lower() else "letters"


def errors(
    train: list[Sentence], dev: list[Sentence], found: list[Sentence]
) -> Counter[tuple[str, str, str]]:
    """Return how many words have a wrong lemma, by what is wrong with it, with the tag, and with the form."""
    seen = {form for sentence in train for form in sentence.column("form")}
    counts: Counter[tuple[str, str, str]] = Counter()
    for gold, guess in zip(dev, found):
        names = [gold.column(name) for name in ("form", "lemma", "upos")]
        for form, lemma, tag, own, own_tag in zip(*names, guess.column("lemma"), guess.column("upos")):
            if lemma != own:
                tags = "tag right" if tag == own_tag else "tag wrong"
                counts[kind_of(lemma, own), tags, "seen" if form in seen else "new"] += 1
    return counts


def main() -> None:
    model, treebank = [*sys.argv[1:], *("en", "English-EWT")[len(sys.argv) - 1 :]]
    nlp = structron.load(model)
    train, dev = load(treebank, "train"), load(treebank, "dev")
    gold, found = column(dev, "lemma"), nlp.predict(dev, "words")
    counts = errors(train, dev, found)
    heads = [f"{tags}, form {form}" for tags in ("tag wrong", "tag right") for form in ("seen", "new")]
    print(f"| wrong lemmas | {' | '.join(heads)} |")
    print("|---|---|---|---|---|")
    for kind in ("casing", "letters"):
        cells = [counts[kind, tags, form] for tags in ("tag wrong", "tag right") for form in ("seen", "new")]
        print(f"| {kind} | {' | '.join(map(str, cells))} |")
    print(f"\n{counts.total()} of {sum(map(len, gold))} words. Right, in percent:")
    tagged = column(nlp.predict(dev, "tags"), "lemma")
    print(f"gold tags {100 * accuracy(gold, tagged):.2f}", end=", ")
    print(f"predicted tags {100 * accuracy(gold, column(found, 'lemma')):.2f}", end=", ")
    shares = nlp.evaluate(dev)
    print(f"from raw text {100 * shares['Lemmas'].f1:.2f} (Words {100 * shares['Words'].f1:.2f})")


if __name__ == "__main__":
    main()
