"""Tagger: fit, predict, score, partial_fit, k-best, save and load, on every kind of input."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import Beam, DataError, Exact, Greedy, SettingError, Tagger
from structron.io import Sentence, read
from structron.metrics import accuracy
from tests.unit.estimators.corpora import spans, treebank

X, Y = treebank(80)
X2, Y2 = treebank(40, seed=9)
SEARCHES = [Exact(), Greedy(), Beam(3), Beam(3, merge=True)]

CONLLU = """# text = Dogs can't bark
1	Dogs	dog	NOUN	NNS	_	3	nsubj	_	_
2-3	can't	_	_	_	_	_	_	_	_
2	can	can	AUX	MD	_	3	aux	_	_
3	n't	not	PART	RB	_	4	advmod	_	_
4	bark	bark	VERB	VB	_	0	root	_	_

1	Cats	cat	NOUN	NNS	_	2	nsubj	_	_
2	sleep	sleep	VERB	VBP	_	0	root	_	_

"""
COLUMNS = "Time NN B-NP\nflies VBZ B-VP\n\nFruit NN B-NP\nflies NNS I-NP\nfly VBP B-VP\n\n"
SLASH = "Time/NN flies/VBZ\nand/or/CC both/DT\n"


def sentences(text: str, format: str) -> list[Sentence]:
    return list(read(io.BytesIO(text.encode()), format=format))


@pytest.mark.parametrize("search", SEARCHES, ids=str)
@pytest.mark.parametrize("order", [0, 1, 2])
def test_learns_scores_and_predicts_alike_after_save_and_load(
    search: Any, order: int, tmp_path: Path
) -> None:
    tagger = Tagger(search=search, order=order, epochs=4).fit(X, Y)
    assert tagger.score(X, Y) == accuracy(Y, tagger.predict(X)) > 0.97
    assert tagger.score(X2, Y2) > 0.7
    assert tagger.labels_ == sorted({tag for tags in Y for tag in tags})
    assert [epoch.epoch for epoch in tagger.history_] == [1, 2, 3, 4]
    tagger.save(tmp_path / "m.safetensors")
    again = Tagger.load(tmp_path / "m.safetensors")
    assert again.predict(X2) == tagger.predict(X2)
    assert again.predict_kbest(X2[:5], 3) == tagger.predict_kbest(X2[:5], 3)
    assert again.recipe == tagger.recipe
    assert again.labels_ == tagger.labels_
    again.save(tmp_path / "n.safetensors")
    assert (tmp_path / "n.safetensors").read_bytes() == (tmp_path / "m.safetensors").read_bytes()


@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_k_best_begins_with_the_prediction_and_goes_down(search: Any) -> None:
    tagger = Tagger(search=search, epochs=2).fit(X, Y)
    some = sorted(X2, key=len)[:8]
    for best, tags, words in zip(tagger.predict_kbest(some, 5), tagger.predict(some), some):
        assert best[0][0] == tags
        assert 1 <= len(best) <= 5
        assert all(a[1] >= b[1] for a, b in pairwise(best))
        assert len({tuple(labels) for labels, _ in best}) == len(best)
        assert all(len(labels) == len(words) for labels, _ in best)
    if search == Exact():
        assert all(len(best) == 5 for best in tagger.predict_kbest(some, 5))


@pytest.mark.parametrize("k", [0, -1, 1.5, "3", None, True])
def test_an_impossible_k_is_refused(k: Any) -> None:
    tagger = Tagger(epochs=1).fit(X[:3], Y[:3])
    with pytest.raises(SettingError, match=r"k = .* is not possible"):
        tagger.predict_kbest(X, k)


def test_k_may_be_any_whole_number_however_great() -> None:
    tagger = Tagger(epochs=1, search="exact").fit(X[:9], Y[:9])
    ways = len(tagger.labels_) ** 2
    for k in (np.int64(10**6), 2**40, 2**70):
        (best,) = tagger.predict_kbest([["the", "dog"]], k)
        assert len(best) == ways


@pytest.mark.parametrize(
    ("text", "format", "target", "labels"),
    [
        (CONLLU, "conllu", None, [["NOUN", "AUX", "PART", "VERB"], ["NOUN", "VERB"]]),
        (CONLLU, "conllu", "xpos", [["NNS", "MD", "RB", "VB"], ["NNS", "VBP"]]),
        (COLUMNS, "columns", None, [["B-NP", "B-VP"], ["B-NP", "I-NP", "B-VP"]]),
        (COLUMNS, "columns", 1, [["NN", "VBZ"], ["NN", "NNS", "VBP"]]),
        (SLASH, "slash", None, [["NN", "VBZ"], ["CC", "DT"]]),
    ],
)
def test_sentences_from_files_bring_their_own_labels(
    text: str, format: str, target: Any, labels: list[list[str]], tmp_path: Path
) -> None:
    data = sentences(text, format)
    tagger = Tagger(epochs=20, target=target).fit(data)
    assert tagger.labels_ == sorted({tag for tags in labels for tag in tags})
    assert tagger.predict(data) == labels
    assert tagger.score(data) == 1.0
    assert tagger.score(data, labels) == 1.0
    tagger.save(tmp_path / "m")
    assert Tagger.load(tmp_path / "m").predict(data) == labels
    assert tagger.partial_fit(data).predict(data) == labels


def test_the_target_is_never_shown_to_the_templates() -> None:
    data = sentences(COLUMNS, "columns")
    tagger = Tagger(epochs=5).fit(data)
    masked = [sentence.with_column(-1, ["O"] * len(sentence)) for sentence in data]
    assert tagger.predict(masked) == tagger.predict(data)


def test_sentences_and_lists_of_the_same_words_give_the_same_model(tmp_path: Path) -> None:
    data = sentences(COLUMNS, "columns")
    rows = [list(zip(s.column(0), s.column(1))) for s in data]
    labels = [s.column(2) for s in data]
    a, b = Tagger(epochs=3).fit(data).model_, Tagger(epochs=3).fit(rows, labels).model_
    for one, other in zip(a.rows, b.rows):
        np.testing.assert_array_equal(one, other)
    assert a.task.templates == b.task.templates


def test_columns_are_read_and_further_ones_ignored() -> None:
    C, Z = spans(40)
    tagger = Tagger(epochs=5).fit(C, Z)
    assert tagger.model_.task.columns == 2
    assert tagger.score(C, Z) > 0.98
    wider = [[(*token, "more") for token in tokens] for tokens in C]
    assert tagger.predict(wider) == tagger.predict(C)
    words_only = Tagger(epochs=2, templates=["w[0]", "t[-1]"]).fit(C, Z)
    assert words_only.predict([[word for word, _ in s] for s in C]) == words_only.predict(C)


def test_empty_sentences_and_no_sentences() -> None:
    tagger = Tagger(epochs=2).fit([[], *X[:5], []], [[], *Y[:5], []])
    assert tagger.predict([]) == []
    assert tagger.predict([[], X[0], []]) == [[], tagger.predict([X[0]])[0], []]
    assert tagger.predict_kbest([[]], 3) == [[([], 0.0)]]
    C, Z = spans(5)
    assert Tagger(epochs=1).fit(C, Z).predict([[], []]) == [[], []]
    assert Tagger(epochs=1).fit([[{"a": 1.0}]], [["N"]]).predict([[]]) == [[]]


def test_one_label_and_sentences_of_one_word() -> None:
    for search in SEARCHES:
        tagger = Tagger(epochs=2, search=search).fit([["a"], ["b"]], [["N"], ["N"]])
        assert tagger.predict([["c"] * 3, ["a"]]) == [["N"] * 3, ["N"]]
        tagger = Tagger(epochs=5, search=search).fit([["a"], ["b"]], [["N"], ["V"]])
        assert tagger.predict([["a"], ["b"]]) == [["N"], ["V"]]


@pytest.mark.parametrize("search", ["beam:4", "exact"])
def test_a_very_long_sentence(search: str) -> None:
    tagger = Tagger(search=search, order=1, epochs=1, templates=["w[0]", "t[-1]"])
    words = ["a", "b", "c", "d"] * 25_000
    tagger.fit([words, words[:8]], [["A", "B", "C", "D"] * 25_000, ["A", "B", "C", "D"] * 2])
    assert tagger.predict([words]) == [["A", "B", "C", "D"] * 25_000]
    assert tagger.predict_kbest([words], 2)[0][0][0][:4] == ["A", "B", "C", "D"]


def test_strange_words_are_words() -> None:
    words = [
        "",
        "\0",
        "a\0b",
        "a",
        "\U0010ffff",
        "é",
        "e\u0301",
        "\u202e",
        "ﬃ",
        "İ",
        "ß" * 500,
        " ",
        "\n",
        "中" * 70,
    ]
    tags = [f"T{i}\0ü" for i in range(len(words))]
    tagger = Tagger(epochs=15).fit([words, words[::-1]], [tags, tags[::-1]])
    assert tagger.predict([words]) == [tags]


def test_partial_fit_goes_on_from_batch_to_batch() -> None:
    labels = sorted({tag for tags in Y for tag in tags})
    tagger = Tagger()
    for _ in range(3):
        for start in range(0, len(X), 20):
            tagger.partial_fit(iter(X[start : start + 20]), iter(Y[start : start + 20]), labels=labels)
    assert tagger.score(X, Y) > 0.97
    assert len(tagger.history_) == 12
    assert sum(epoch.examples for epoch in tagger.history_) == 3 * len(X)


def test_partial_fit_with_everything_is_one_epoch_of_fit() -> None:
    once, batch = Tagger(epochs=1).fit(X, Y), Tagger().partial_fit(X, Y)
    for a, b in zip(once.model_.rows, batch.model_.rows):
        np.testing.assert_array_equal(a, b)


def test_partial_fit_learns_on_from_a_loaded_model(tmp_path: Path) -> None:
    Tagger(epochs=2).fit(X, Y).save(tmp_path / "m")
    tagger = Tagger.load(tmp_path / "m")
    new = [["structron", "tags"]] * 5
    tags = [[Y[0][0], Y[0][1]]] * 5
    for _ in range(10):
        tagger.partial_fit(new, tags)
    assert tagger.predict(new) == tags
    assert tagger.score(X, Y) > 0.9


def test_a_label_unseen_before_is_refused_and_nothing_is_learned() -> None:
    tagger = Tagger().partial_fit(X[:9], Y[:9])
    before = tagger.predict(X)
    with pytest.raises(DataError, match=r"label 'ZZ' was not there before; ask for new_labels .* or pass"):
        tagger.partial_fit([["a"]], [["ZZ"]])
    assert tagger.predict(X) == before
    assert len(tagger.history_) == 1
    announced = Tagger().partial_fit(X[:9], Y[:9], labels=["ZZ"])
    assert announced.partial_fit([["a"]], [["ZZ"]]).labels_[-1] == "ZZ"


def test_a_first_batch_that_is_refused_leaves_no_trace() -> None:
    tagger = Tagger()
    with pytest.raises(DataError, match="sentence 2"):
        tagger.partial_fit([["a"], [3]], [["Q"], ["Q"]])
    assert tagger.partial_fit([["a"]], [["N"]]).labels_ == ["N"]


def test_the_best_epoch_is_kept_with_a_development_set() -> None:
    tagger = Tagger(epochs=6).fit(X[:30], Y[:30], dev=(X2, Y2))
    scores = [epoch.dev_score for epoch in tagger.history_]
    assert tagger.score(X2, Y2) == max(s for s in scores if s is not None)
    assert [e.best for e in tagger.history_].count(True) >= 1
    data = sentences(COLUMNS, "columns")
    assert Tagger(epochs=2).fit(data, dev=data).history_[-1].dev_score is not None


def test_fitting_again_starts_anew() -> None:
    tagger = Tagger(epochs=2).fit(X, Y)
    tagger.fit([["a", "b"]], [["P", "Q"]])
    assert tagger.labels_ == ["P", "Q"]
    assert len(tagger.history_) == 2
    assert tagger.predict([["a", "b"]]) == [["P", "Q"]]


def test_rare_features_are_cut_and_small_weights_left_out() -> None:
    whole = Tagger(epochs=2).fit(X, Y).model_.rows
    cut = Tagger(epochs=2, cut=3).fit(X, Y).model_.rows
    assert len(cut.keys) < len(whole.keys)
    light = Tagger(epochs=2, min_weight=5.0).fit(X, Y).model_.rows
    assert 0 < len(light.weights) < len(whole.weights)
    assert np.abs(light.weights).min() >= 5.0
