"""Pipelines and lemmatizers learn from treebanks of which only some values are known."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from structron import DataError, Lemmatizer, Pipeline, SettingError
from structron.io import Sentence
from structron.tasks.pipeline import Stage
from structron.tasks.pipeline.fitting.treebank import Treebank
from tests.pipelines import treebank

STAGES = ("upos", "xpos", "feats", "lemma", "parser")
COLUMNS = ("upos", "xpos", "lemma", "head", "deprel")
TRAIN, DEV = treebank(120), treebank(12, seed=2)


def forgotten(sentences: list[Sentence], share: float, *columns: str) -> list[Sentence]:
    rng = random.Random(0)
    for name in columns or COLUMNS:
        sentences = [
            sentence.with_column(name, ["_" if rng.random() < share else v for v in sentence.column(name)])
            for sentence in sentences
        ]
    return sentences


@pytest.mark.parametrize("prefer", ["speed", "balance"])
def test_a_pipeline_learns_from_half_of_the_values(prefer: str) -> None:
    nlp = Pipeline(prefer=prefer, folds=2, stages=STAGES, partial=True)
    nlp.fit(forgotten(TRAIN, 0.5), dev=DEV)
    shares = nlp.evaluate(DEV, "words")
    assert all(shares[name].f1 > 0.5 for name in ("UPOS", "XPOS", "Lemmas")) and shares["UAS"].f1 > 0.3
    for sentence in nlp.analysed(DEV, "words"):
        assert not any("_" in sentence.column(name) for name in COLUMNS)


def test_what_is_wrong_may_be_forgotten() -> None:
    wrong = [sentence.with_column("upos", ["X", *sentence.column("upos")[1:]]) for sentence in TRAIN]
    right = [sentence.with_column("upos", ["_", *sentence.column("upos")[1:]]) for sentence in TRAIN]
    told = Pipeline(folds=2, stages=("upos",)).fit(wrong).predict(DEV)
    assert {sentence.column("upos")[0] for sentence in told} == {"X"}
    told = Pipeline(folds=2, stages=("upos",), partial=True).fit(right).predict(DEV)
    assert "X" not in {tag for sentence in told for tag in sentence.column("upos")}


def test_where_all_is_known_partial_makes_no_difference() -> None:
    answers = [
        Pipeline(prefer="speed", folds=2, stages=STAGES, partial=partial).fit(TRAIN).predict(DEV)
        for partial in (False, True)
    ]
    assert answers[0] == answers[1]


def test_a_value_is_unknown_where_it_is_empty_and_features_where_the_tag_is() -> None:
    rows = [["dogs", "NOUN", "_", "Number=Plur", "dog"], ["bark", "_", "VBP", "_", "_"]]
    lines = [[str(i), f, lemma, u, x, feats, "_", "_", "_", "_"]
             for i, (f, u, x, feats, lemma) in enumerate(rows, 1)]  # fmt: skip
    sentence = Sentence(lines, TRAIN[0].format)
    data = Treebank.of([sentence], trees=True, partial=True)
    assert data.labels(Stage("upos", ())) == [["NOUN", None]]
    assert data.labels(Stage("feats", ())) == [["Number=Plur", None]]
    assert data.labels(Stage("upos+xpos", ())) == [[None, None]]
    assert data.trees == [([None, None], [None, None])]
    data.predicted |= {"upos": [["X", "VERB"]], "feats": [["A=B", "C=D"]]}
    assert data.gold_seen(("form", "upos", "feats")) == [
        [("dogs", "NOUN", "Number=Plur"), ("bark", "VERB", "C=D")]
    ]
    whole = Treebank.of([sentence], trees=False)
    assert whole.labels(Stage("upos+xpos", ())) == [["NOUN\t_", "_\tVBP"]]


def test_words_without_a_tag_are_refused_unless_they_may_be_unknown() -> None:
    data = forgotten(TRAIN, 0.1, "upos")
    for stages in (("upos",), ("upos", "xpos", "feats")):
        with pytest.raises(DataError, match="has no upos; fix the line"):
            Pipeline(prefer="speed", folds=2, stages=stages).fit(data)
    with pytest.raises(DataError, match="has no upos; fix the line"):
        Pipeline(folds=2, stages=("upos",)).fit(TRAIN, dev=forgotten(DEV, 0.5, "upos"))
    assert Pipeline(folds=2, stages=("xpos",)).fit(data).stages_ == ("xpos",), "tags are taken as they come"


def test_dev_data_are_known_as_a_whole() -> None:
    with pytest.raises(DataError, match="has no head"):
        Pipeline(prefer="speed", folds=2, stages=STAGES, partial=True).fit(TRAIN, dev=forgotten(DEV, 0.5))


def test_a_checkpoint_knows_whether_values_may_be_missing(tmp_path: Path) -> None:
    def told(name: str, done: int, total: int) -> None:
        if name.startswith("2/2"):
            raise KeyboardInterrupt

    data, file = forgotten(TRAIN, 0.5, "lemma"), tmp_path / "kept"
    with pytest.raises(KeyboardInterrupt):
        Pipeline(folds=2, stages=("upos", "lemma"), partial=True).fit(data, on_stage=told, checkpoint=file)
    with pytest.raises(SettingError, match="made with other"):
        Pipeline(folds=2, stages=("upos", "lemma")).fit(data, checkpoint=file, resume=True)
    again = Pipeline(folds=2, stages=("upos", "lemma"), partial=True)
    again.fit(data, checkpoint=file, resume=True).save(tmp_path / "resumed")
    Pipeline(folds=2, stages=("upos", "lemma"), partial=True).fit(data).save(tmp_path / "straight")
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "straight").read_bytes()


def test_a_lemmatizer_leaves_out_words_without_a_lemma() -> None:
    X = [[("dogs", "NOUN", "_"), ("saw", "VERB", "_")], [("cats", "NOUN", "_"), ("cows", "NOUN", "_")]]
    own = Lemmatizer(epochs=3, columns=("form", "upos", "feats"), partial=True)
    own.fit(X, [["dog", None], [None, "cow"]])
    bare = Lemmatizer(epochs=3).fit([[X[0][0]], [X[1][1]]], [["dog"], ["cow"]])
    assert own.predict(X) == bare.predict(X) and own.predict([X[1]]) == [["cat", "cow"]]
    with pytest.raises(DataError, match=r"sentence 1: a lemma is empty or not text; give a str$"):
        Lemmatizer().fit(X, [["dog", None], ["cat", "cow"]])
    with pytest.raises(DataError, match="give a str, or None where nobody knows"):
        own.fit(X, [["dog", ""], ["cat", "cow"]])
    with pytest.raises(DataError, match="nothing to learn from"):
        own.fit(X, [[None, None], [None, None]])
    files = forgotten(TRAIN, 0.5)
    assert Lemmatizer(epochs=2, partial=True).fit(files).score(DEV) > 0.5
