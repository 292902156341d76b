"""Labels that are partly known, given labels and dictionaries, as users meet them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import structron
from structron import Tagger
from structron.errors import DataError
from structron.fit.data.entries import Entries
from structron.io import read
from structron.labelling.restriction import Forbidden

X = [["the", "dog", "barks"], ["the", "cats", "bark"], ["a", "dog", "runs"]]
Y: list[list[Any]] = [["DT", "NN", None], ["DT", {"NN", "NNS"}, "VBP"], [None, "NN", "VBZ"]]
NAMES = [["B-LOC", "I-LOC", None, "O"], ["O", None, "B-LOC", "O"]]
TOWNS = [["New", "York", "is", "big"], ["in", "old", "Paris", "now"]]


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger(partial=True, epochs=3).fit(X, Y)


@pytest.fixture(scope="module")
def namer() -> Tagger:
    return Tagger(partial=True, epochs=4).fit(TOWNS, NAMES)


def test_labels_are_those_that_are_named(tagger: Tagger, namer: Tagger) -> None:
    assert tagger.labels_ == ["DT", "NN", "NNS", "VBP", "VBZ"]
    assert namer.labels_ == ["B-LOC", "I-LOC", "O"] and namer.model_.task.scheme == "bio"
    assert tagger.predict(X[:1])[0][:2] == ["DT", "NN"]


def test_whole_labels_make_the_same_model_with_and_without_partial() -> None:
    whole = [["DT", "NN", "VBZ"]] * 3
    models = [Tagger(partial=partial, epochs=3).fit(X, whole).model_.rows for partial in (False, True)]
    assert [each.tolist() for each in models[0]] == [each.tolist() for each in models[1]]


def test_given_nothing_changes_nothing(tagger: Tagger) -> None:
    free = tagger.predict_kbest(X, 3)
    assert tagger.predict_kbest(X, 3, given=[None] * 3) == free
    assert tagger.predict_kbest(X, 3, given=[[None] * 3] * 3) == free
    assert tagger.predict_kbest(X, 3, given=[[tagger.labels_] * 3] * 3) == free


def test_a_saved_model_keeps_what_is_given(tagger: Tagger, tmp_path: Path) -> None:
    tagger.save(tmp_path / "m")
    again = structron.load(tmp_path / "m")
    given = [[None, "VBP", Forbidden(["VBZ"])], None, [{"NN", "NNS"}, None, None]]
    found = again.predict(X, given=given)
    assert found == tagger.predict(X, given=given)
    assert found[0][1] == "VBP" and found[0][2] != "VBZ" and found[2][0] in ("NN", "NNS")
    assert all(labels[1] == "VBP" for labels, _ in again.predict_kbest(X[:1], 3, given=given[:1])[0])
    assert len(again.margins(X[:1], given=[["DT", "NN", None]])[0].parts) == 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([["X", None, None]], "sentence 1, token 1: given label 'X' is not one of the model's; leave it out"),
        ([["NNSS", None, None]], "given label 'NNSS' is not one of the model's; use 'NNS'?"),
        ([["DT"]], "sentence 1: 3 tokens but 1 given; give one each"),
        ([None, None], "1 inputs but 2 given; give one each, or None"),
        ("upos", "given names columns, which only sentences from files have; give a list"),
        ([[set(), None, None]], "given label is an empty set; give None where nothing is known"),
        ([[3, None, None]], "given label 3 is not text; give a str"),
        (3, "given is of type int"),
        ([[Forbidden(["DT", "NN", "NNS", "VBP", "VBZ"]), None, None]], "every label is forbidden; leave one"),
        ([[Forbidden(["X"]), None, None]], "given label 'X' is not one of the model's"),
    ],
)
def test_wrong_parts_are_one_sentence(tagger: Tagger, given: Any, message: str) -> None:
    with pytest.raises(DataError) as raised:
        tagger.predict(X[:1], given=given)
    assert message in str(raised.value)


def test_what_rules_forbid_is_one_sentence(namer: Tagger) -> None:
    with pytest.raises(DataError, match="sentence 1: no sequence of labels that the rules allow has all"):
        namer.predict(TOWNS[:1], given=[["O", "I-LOC", None, None]])


def test_unknown_labels_are_refused_where_they_were_not_asked_for(tagger: Tagger) -> None:
    with pytest.raises(DataError, match="label None is not text"):
        Tagger().fit(X, Y)
    with pytest.raises(DataError, match="not all labels are known; score on labelled sentences"):
        tagger.score(X, Y)
    with pytest.raises(DataError, match="label None is not text"):
        Tagger(partial=True).fit(X, Y, dev=(X, Y))
    with pytest.raises(DataError, match="there is nothing to learn from"):
        Tagger(partial=True).fit(X, [[None] * 3] * 3)
    with pytest.raises(DataError, match="no sequence of labels in bio agrees with those known"):
        Tagger(partial=True, constraints="bio").fit(TOWNS, [["O", "I-LOC", None, None], NAMES[1]])


def test_columns_of_files_bring_what_is_known(tmp_path: Path) -> None:
    rows = ["the DT", "dog _", "barks VBZ", "", "a _", "dog NN", "runs VBZ", ""]
    path = tmp_path / "a.txt"
    path.write_text("\n".join(rows) + "\n")
    tagger = Tagger(partial=True, epochs=2).fit(read(path, columns=["form", "label"]))
    assert tagger.labels_ == ["DT", "NN", "VBZ"]
    path.write_text("\n".join(rows).replace("VBZ", "NN") + "\n")
    found = tagger.predict(read(path, columns=["form", "label"]), given="label")
    assert [found[0][0], found[0][2], found[1][1:]] == ["DT", "NN", ["NN", "NN"]]
    with pytest.raises(DataError, match="the model predicts label, not what is given"):
        tagger.predict(read(path, columns=["form", "label"]), given="form")


def test_entries_of_a_dictionary_win(tagger: Tagger, namer: Tagger, tmp_path: Path) -> None:
    path = tmp_path / "names.tsv"
    path.write_text("Big Apple\tLOC\nApple\tLOC\n")
    words = [["the", "Big", "Apple", "York", "Apple"]]
    (found,) = namer.predict(words, given=Entries.read(path))
    assert found[1:3] == ["B-LOC", "I-LOC"] and found[3] != "I-LOC" and found[4] == "B-LOC"
    assert tagger.predict(X[:1], given=Entries({"dog": ["VBP", "VBZ"]}))[0][1] in ("VBP", "VBZ")
    assert tagger.predict(X[:1], given=Entries({"cow": "NN"})) == tagger.predict(X[:1])
    for entries, message in (
        (Entries({"York": "PER"}), "no label B-PER for an entry of the dictionary"),
        (Entries(["York"]), "dictionary entry 'York' has no label"),
    ):
        with pytest.raises(DataError, match=message):
            namer.predict(words, given=entries)
    for label, message in (("NNSS", "use 'NNS'?"), ("ZZ", "give one that it has, such as ")):
        said = f"dictionary entry 'dog': label {label!r} is not one of the model's; {message}"
        with pytest.raises(DataError, match=re.escape(said)):
            tagger.predict(X[:1], given=Entries({"dog": label}))
    path.write_text("York\t\n")
    with pytest.raises(DataError, match="1: an entry or a label is empty"):
        Entries.read(path)
    path.write_text("\n")
    with pytest.raises(DataError, match="there are no entries; write one a line"):
        Entries.read(path)
