"""Columns of Hugging Face datasets go in as they are; `make test-adapters` installs datasets."""

from __future__ import annotations

import numpy as np
import pytest

from structron import Classifier, DataError, Parser, Tagger
from structron.synthetic import generate_treebank
from tests.unit.estimators.corpora import treebank

datasets = pytest.importorskip("datasets", reason="datasets is not installed; make test-adapters installs it")

from structron.adapters.huggingface import sentences, trees, with_predictions  # noqa: E402

X, Y = treebank(30)
NAMES = sorted({tag for tags in Y for tag in tags})


def test_numbers_that_stand_for_names_are_learned_as_names() -> None:
    features = datasets.Features(
        {
            "tokens": datasets.Sequence(datasets.Value("string")),
            "tags": datasets.Sequence(datasets.ClassLabel(names=NAMES)),
        }
    )
    ds = datasets.Dataset.from_dict({"tokens": X, "tags": Y}, features=features)
    assert isinstance(ds[0]["tags"][0], int)
    tagger = Tagger(epochs=2).fit(ds["tokens"], ds["tags"])
    assert tagger.labels_ == NAMES
    assert tagger.predict(ds["tokens"]) == Tagger(epochs=2).fit(X, Y).predict(X)
    assert tagger.score(ds["tokens"], ds["tags"]) == tagger.score(X, Y)
    guessed = with_predictions(ds, tagger, "tokens")
    assert list(guessed["guess"]) == tagger.predict(X)
    mapped = ds.map(lambda rows: {"guess": tagger.predict(rows["tokens"])}, batched=True, batch_size=8)
    assert list(mapped["guess"]) == tagger.predict(X)
    unlabelled = datasets.Dataset.from_dict({"tokens": [["a"]], "tags": [[-1]]}, features=features)
    with pytest.raises(DataError, match="y of sentence 1: -1 stands for no label"):
        tagger.score(unlabelled["tokens"], unlabelled["tags"])


def test_a_treebank_and_texts() -> None:
    made = generate_treebank(30, np.random.default_rng(2))
    ds = datasets.Dataset.from_dict(
        {
            "tokens": [list(tree.words) for tree in made],
            "upos": [list(tree.tags) for tree in made],
            "head": [list(map(str, tree.heads)) for tree in made],
            "deprel": [list(tree.labels) for tree in made],
        }
    )
    pairs = sentences(ds, "tokens", "upos")
    parser = Parser(epochs=2).fit(pairs, trees(ds))
    guessed = with_predictions(ds, parser, ("tokens", "upos"), "parsed")
    assert list(zip(guessed["parsed"], guessed["parsed_relation"])) == [
        tuple(t) for t in parser.predict(pairs)
    ]
    with pytest.raises(DataError, match="no column 'xpos'; its columns are tokens, upos, head, deprel"):
        sentences(ds, "tokens", "xpos")
    with pytest.raises(DataError, match="row 1: a head is not a number"):
        trees(datasets.Dataset.from_dict({"head": [["_"]], "deprel": [["x"]]}))
    texts = datasets.Dataset.from_dict({"text": ["cheap pills", "a meeting"] * 3, "label": [1, 0] * 3})
    classifier = Classifier(epochs=3).fit(texts["text"], texts["label"])
    assert classifier.predict(texts["text"]) == [1, 0] * 3
