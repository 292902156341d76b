"""The classifier: what it takes, what it gives back, and what it refuses in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from sklearn.utils.estimator_checks import check_estimator

import structron
from structron import Classifier, DataError, SettingError, StructronWarning
from structron.io.formats.documents import Document, read_documents

TEXTS = ["cheap pills now", "meeting at noon", "cheap offer now", "notes of the meeting"]
LABELS = ["spam", "ham", "spam", "ham"]
TABLE = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 2], [0, 2, 1]])


def test_scikit_learns_own_checks_pass_on_numbers() -> None:
    check_estimator(Classifier())


@pytest.mark.parametrize(
    "X",
    [
        TEXTS,
        [text.split() for text in TEXTS],
        [dict.fromkeys(text.split(), 1.0) for text in TEXTS],
        TABLE,
        scipy.sparse.csr_matrix(TABLE),
        TABLE.tolist(),
        np.array(TEXTS, dtype=object),
        [Document(text, None) for text in TEXTS],
    ],
    ids=["texts", "words", "dicts", "array", "csr", "lists", "objects", "documents"],
)
def test_all_kinds_of_inputs_are_learned(X: Any, tmp_path: Path) -> None:
    own = Classifier(epochs=20).fit(X, LABELS)
    found = own.predict(X)
    assert list(found) == LABELS and own.score(X, LABELS) == 1.0
    assert own.classes_.tolist() == own.labels_ == ["ham", "spam"]
    assert ((own.decision_function(X) > 0) == (np.array(LABELS) == "spam")).all()
    own.save(tmp_path / "m")
    again = structron.load(tmp_path / "m")
    assert list(again.predict(X)) == LABELS
    assert np.array_equal(again.decision_function(X), own.decision_function(X))


def test_one_row_of_numbers_is_the_same_in_every_shape() -> None:
    y = [0, 1, 2, 0]
    tables = (TABLE, scipy.sparse.csr_matrix(TABLE), scipy.sparse.coo_matrix(TABLE), TABLE.tolist())
    sums = [Classifier(epochs=3).fit(X, y).decision_function(X) for X in tables]
    assert all(np.array_equal(sums[0], each) for each in sums[1:]) and sums[0].shape == (4, 3)
    own = Classifier(epochs=3, bits=9).fit(TABLE, y)
    assert np.allclose(TABLE @ own.coef_.T + own.intercept_, own.decision_function(TABLE))
    assert not hasattr(Classifier(epochs=1).fit(TEXTS, y), "coef_")
    assert not hasattr(Classifier(epochs=1, voted=True).fit(TABLE, y), "coef_")


def test_labels_come_back_as_they_were_given() -> None:
    for y in ([3, 1, 3, 1], [True, False, True, False], [2.0, 1.0, 2.0, 1.0], ["b", "a", "b", "a"]):
        own = Classifier(epochs=20).fit(TEXTS, y)
        assert own.predict(TEXTS) == y and own.classes_.tolist() == sorted(set(y))
        best = own.predict_kbest(TEXTS, 2)
        assert [pairs[0][0] for pairs in best] == y and all(len(pairs) == 2 for pairs in best)


def test_any_number_of_labels_may_be_right(tmp_path: Path) -> None:
    y = [["a"], ["b"], ["a", "b"], []]
    own = Classifier(multilabel=True, epochs=30).fit(TEXTS, y)
    assert own.predict(TEXTS) == y and own.score(TEXTS, y) == 1.0
    assert own.decision_function(TEXTS).shape == (4, 2)
    own.save(tmp_path / "m")
    assert Classifier.load(tmp_path / "m").predict(TEXTS) == y
    table = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
    assert np.array_equal(Classifier(multilabel=True, epochs=30).fit(TEXTS, table).predict(TEXTS), table)


def test_batches_know_all_classes_that_are_announced() -> None:
    own = Classifier(weighting="count").partial_fit(TEXTS[:2], LABELS[:2], classes=["ham", "spam", "zz"])
    assert own.labels_ == ["ham", "spam", "zz"]
    own.partial_fit(TEXTS[2:], LABELS[2:])
    assert len(own.history_) == 2
    with pytest.raises(DataError, match=r"label 'new' was not there before; ask for new_labels .* or pass"):
        own.partial_fit(TEXTS, ["new"] * 4)
    with pytest.raises(DataError, match="label 'spam' is not among classes; pass all labels"):
        Classifier().partial_fit(TEXTS, LABELS, classes=["ham"])


def test_features_of_later_batches_join_in() -> None:
    own = Classifier(epochs=1, learner="perceptron:margin=1")
    own.partial_fit(TEXTS[:2], LABELS[:2])
    before = own.decision_function(["offer"])[0]
    own.partial_fit(["offer", "offer"], ["spam", "spam"])
    assert own.decision_function(["offer"])[0] > before


def test_balanced_weights_are_in_inverse_proportion_to_counts() -> None:
    own = Classifier(class_weight="balanced", epochs=1)
    weights = [y.more[0] for y in own.plan(TEXTS, ["a", "b", "b", "b"]).examples.ys]
    assert weights == [0.5, 1.5, 1.5, 1.5], "examples of MIRA are the smaller, the further ahead they must be"
    own = Classifier(class_weight="balanced", epochs=1, learner="perceptron")
    weights = [y.more[0] for y in own.plan(TEXTS, ["a", "b", "b", "b"]).examples.ys]
    assert weights == [2.0, 2 / 3, 2 / 3, 2 / 3]
    with pytest.raises(DataError, match="class_weight has label 'zz', which is not in y"):
        Classifier(class_weight={"zz": 2}).fit(TEXTS, LABELS)
    with pytest.raises(SettingError, match="a cap on steps would undo weights of labels"):
        Classifier(class_weight="balanced", learner="pa:C=1").fit(TEXTS, LABELS)
    with pytest.raises(SettingError, match="is not known; give none, balanced, or an object in JSON"):
        Classifier(class_weight="heavy").fit(TEXTS, LABELS)


def test_empty_texts_are_inputs_like_others() -> None:
    own = Classifier(epochs=5).fit([*TEXTS, "", "   "], [*LABELS, "ham", "ham"])
    assert own.predict(["", "…"]) == ["ham", "ham"]
    assert own.predict([]) == []


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (TEXTS, LABELS[:2], "4 inputs but 2 labels; give one each"),
        (TEXTS, None, "y is missing"),
        ("text", LABELS, "X is a single string; give a list of texts"),
        (TEXTS, "labels", "y is a single string; give a list of labels"),
        ([*TEXTS[:3], 7], LABELS, "input 4 is of type int"),
        ([*TEXTS[:3], ["a"]], LABELS, "input 4: X mixes texts with other things; give one kind"),
        ([["a"], ["b"], ["c"], [7]], LABELS, "a word must be a str, not int; fix it or leave it out"),
        ([{"a": 1}, {"a": float("nan")}, {}, {}], LABELS, "input 2: a feature value is not a finite number"),
        (["a", "b", "c", "\ud800"], LABELS, "half of a surrogate pair"),
        (TABLE * np.nan, LABELS, "X: row 1 contains NaN, infinity or a value beyond 1e15; fix it"),
        (TABLE[0], LABELS, "got 1D array instead"),
        (TABLE[None], LABELS, "Found array with dim 3"),
        ([[1, 2], [3]], ["a", "b"], "not equally many; give a table"),
        (TABLE, [0.5, 1, 2, 3], "Unknown label type: continuous"),
        (TEXTS, [["a"], ["b"], ["a"], ["b", "c"]], "y is not a list of labels; give one label each, or set"),
        (TEXTS, [{"a"}, {"b"}, {"a"}, {"b", "c"}], "y has several labels for an input; give one label each"),
        (TEXTS, ["a", "b", "a", 1], "texts and other labels are mixed; give all of them as texts"),
        ([], [], "there is nothing to learn from"),
    ],
)
def test_what_cannot_be_learned_is_refused(X: Any, y: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Classifier().fit(X, y)


def test_a_model_of_one_kind_refuses_another() -> None:
    own = Classifier(epochs=2).fit(TEXTS, LABELS)
    with pytest.raises(DataError, match="trained on texts, and X has rows of an array; give it the same"):
        own.predict(TABLE)
    own = Classifier(epochs=2).fit(TABLE, LABELS)
    with pytest.raises(ValueError, match="X has 2 features, but Classifier is expecting 3 features as input"):
        own.predict(TABLE[:, :2])
    for wrong, message in (
        (TABLE * np.nan, "X: row 1 contains NaN"),
        (TABLE[0], "got 1D array instead"),
        (TABLE[None], "Found array with dim 3"),
        (TABLE[:0], "Found array with 0 sample"),
        (TABLE.astype(complex), "Complex data not supported"),
    ):
        with pytest.raises(ValueError, match=message):
            own.predict(wrong)
    own = Classifier(epochs=2).fit([{"a": 1.0}, {"b": 2.0}], [0, 1])
    with pytest.raises(DataError, match="input 2: a feature value is not a finite number"):
        own.predict([{"a": 1.0}, {"a": float("inf")}])


def test_labels_that_a_model_does_not_know_count_as_errors() -> None:
    own = Classifier(epochs=9).fit(TEXTS, LABELS)
    with pytest.warns(StructronWarning, match="unknown to the model"):
        assert own.score(TEXTS, ["other", *LABELS[1:]]) == 0.75


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"templates": ["word(0)"]}, r"template 'word\(0\)' is not known; write word\(1\)"),
        ({"templates": "letters"}, "templates 'letters' are not known; use auto, words"),
        ({"weighting": "tf"}, "weighting 'tf' is not known; give count, binary or log"),
        ({"voted": True, "learner": "mira"}, "votes are those of the perceptron; use perceptron"),
        ({"voted": True, "batch": 2}, "votes are taken after every single example; use batch 1"),
        ({"voted": True, "min_weight": 0.1}, "no weight is too small; use min_weight 0"),
        ({"learner": "swvp"}, "outputs of classification cannot be mixed; use perceptron or mira"),
    ],
)
def test_settings_that_are_not_possible_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Classifier(**settings).fit(TEXTS, LABELS)


def test_threads_batches_and_shards_change_nothing_that_they_should_not() -> None:
    X, y = TEXTS * 8, LABELS * 8
    own = Classifier(batch=4, epochs=3).fit(X, y)
    more = Classifier(batch=4, epochs=3, threads=3).fit(X, y)
    assert np.array_equal(own.decision_function(X), more.decision_function(X))
    assert Classifier(shards=2, epochs=3).fit(X, y).predict(TEXTS) == LABELS


def test_weight_vectors_vote(tmp_path: Path) -> None:
    X, y = [*TEXTS, "noon"], [*LABELS, "other"]
    own = Classifier(voted=True, epochs=6).fit(X, y, dev=(X, y))
    assert own.predict(X) == y and own.history_[-1].notes["vectors"] > 1
    votes = own.decision_function(X)
    assert (
        votes.sum(axis=1) == 5 * own.history_.index(max(own.history_, key=lambda e: e.dev_score)) + 5
    ).all()
    own.save(tmp_path / "m")
    again = structron.load(tmp_path / "m")
    assert again.voted and np.array_equal(again.decision_function(X), votes)
    assert [best[0][0] for best in again.predict_kbest(X, 2)] == y
    for what, refused in (
        ("partial_fit", lambda: own.partial_fit(X, y)),
        ("cluster", lambda: own.fit(X, y, cluster=structron.fit.Cluster())),
    ):
        with pytest.raises(SettingError, match=f"{what}: votes need every weight vector of one training"):
            refused()
    with pytest.raises(SettingError, match="votes are counted, and no search leaves a trace"):
        own.trace(X[0])
    with pytest.warns(
        UserWarning, match="votes are kept in memory until training ends; there is no checkpoint"
    ):
        own.fit(X, y, checkpoint=tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_rare_features_are_left_out() -> None:
    own = Classifier(cut=2, templates="words", intercept=False, epochs=3).fit(TEXTS, LABELS)
    assert len(own.model_.task.frequencies.keys) == 3, "cheap, now and meeting"
    assert own.decision_function(["pills"]).tolist() == [0.0]


FILES = {
    "d.tsv": "spam\tcheap pills\nham\tmeeting, noon\n",
    "d.csv": 'label,text\nspam,cheap pills\nham,"meeting, noon"\n',
    "d.jsonl": '{"label": "spam", "text": "cheap pills"}\n{"label": "ham", "text": "meeting, noon"}\n',
}


@pytest.mark.parametrize("name", FILES)
def test_files_hold_the_same_documents(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FILES[name])
    found = list(read_documents(str(tmp_path / name)))
    assert [(each.labels, each.content) for each in found] == [
        (("spam",), "cheap pills"),
        (("ham",), "meeting, noon"),
    ]
    assert Classifier(epochs=3).fit(found).predict(found) == ["spam", "ham"]


def test_numbers_by_column_are_read_from_svmlight(tmp_path: Path) -> None:
    (tmp_path / "d.svm").write_text("1 3:0.5 17:1 # a comment\n# another\n-1 3:2\n")
    found = list(read_documents(str(tmp_path / "d.svm")))
    assert [(each.labels, each.content) for each in found] == [
        (("1",), {"3": 0.5, "17": 1.0}),
        (("-1",), {"3": 2.0}),
    ]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("d.tsv", "no tab\n", r"d\.tsv:1: one column where label TAB text is needed"),
        ("d.csv", "a,b\n1,2\n", r"d\.csv:1: the first line names no columns label and text"),
        ("d.csv", "label,text\na\n", r"d\.csv:2: 1 fields where 2 are expected"),
        ("d.jsonl", "{\n", r"d\.jsonl:1: not JSON"),
        ("d.jsonl", '{"label": "a"}\n', r'd\.jsonl:1: no object with a "text"'),
        ("d.svm", "1 a:b\n", r"d\.svm:1: 'a:b' is not column:number"),
        ("d.svm", "1 3:nan\n", r"d\.svm:1: '3:nan' is not column:number"),
    ],
)
def test_broken_files_are_told_by_line(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=message):
        list(read_documents(str(tmp_path / name)))
