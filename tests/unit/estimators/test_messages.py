"""Whatever is wrong with the data is said in one sentence, with the sentence's number or file and line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import DataError, SettingError, StructronError, Tagger
from structron.io import read

X = [["the", "dog"], ["a", "cat", "sat"]]
Y = [["D", "N"], ["D", "N", "V"]]
HALF = "\ud800"


def labels_for(bad: Any) -> list[list[str]]:
    return [["D"] * len(s) if hasattr(s, "__len__") else [] for s in bad] if isinstance(bad, list) else []


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger(epochs=2).fit(X, Y)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (None, "X is of type NoneType"),
        (3, "X is of type int"),
        ("the dog", "X is a single string"),
        (["the dog"], "sentence 1 is a string; split it"),
        ([["a"], "the dog"], "sentence 2 is a string"),
        ([["a"], b"dog"], "sentence 2 is a string"),
        ([["a"], None], "sentence 2 is of type NoneType"),
        ([["a"], {"w": 1}], "sentence 2 is a dict"),
        ([["a"], ["b", 3]], "sentence 2: a token must be a str, or a tuple of str, not int"),
        ([["a"], ["b", None]], "sentence 2: a token must be a str, or a tuple of str, not NoneType"),
        ([["a"], [b"b"]], "sentence 2: a token must be a str, or a tuple of str, not bytes"),
        ([["a"], ["b", {"w": 1}]], "sentence 2: a token must be a str"),
        ([["a"], ["b", ()]], "sentence 2: a token has fewer columns"),
        ([["a"], ["b", (1, "x")]], "sentence 2: a column must be a str, not int"),
        ([["a"], ["b", f"x{HALF}"]], r"sentence 2: 'x\\ud800' holds half of a surrogate pair"),
        ([[{"w": 1}]], "this model was trained on words"),
        ([[["w"]]], "this model was trained on words"),
        (np.array([1.5, 2.0]), "sentence 1 is of type float"),
    ],
)
def test_bad_sentences(tagger: Tagger, bad: Any, said: str) -> None:
    for go in (
        lambda: tagger.predict(bad),
        lambda: tagger.predict_kbest(bad, 2),
        lambda: Tagger(templates=["w[0]"]).partial_fit(bad, labels_for(bad)),
    ):
        with pytest.raises(StructronError) as caught:
            go()
        assert "\n" not in str(caught.value)
    with pytest.raises(DataError, match=said):
        tagger.predict(bad)


@pytest.mark.parametrize(
    ("tags", "said"),
    [
        (None, "y is missing; give the labels"),
        (3, "y is of type int"),
        ("DN", "y is a single string"),
        ([], "2 sentences but 0 lists of labels"),
        ([["D", "N"]], "2 sentences but 1 lists of labels"),
        ([["D", "N"], ["D", "N"]], "sentence 2: 3 tokens but 2 labels"),
        ([["D", "N"], "DNV"], "y of sentence 2 is a string"),
        ([["D", "N"], 3], "y of sentence 2 is of type int"),
        ([["D", "N"], ["D", 3, "V"]], "sentence 2, token 2: label 3 is not text"),
        ([["D", "N"], ["D", None, "V"]], "sentence 2, token 2: label None is not text"),
        ([["D", "N"], ["D", HALF, "V"]], r"sentence 2, token 2: label '\\ud800' is not text"),
        (np.array([1, 2]), "y of sentence 1 is of type int"),
    ],
)
def test_bad_labels(tagger: Tagger, tags: Any, said: str) -> None:
    for go in (
        lambda: Tagger().fit(X, tags),
        lambda: Tagger().partial_fit(X, tags),
        lambda: tagger.score(X, tags),
        lambda: Tagger().fit(X, Y, dev=(X, tags)),
    ):
        with pytest.raises(DataError, match=said):
            go()


def test_nothing_to_learn_from() -> None:
    for data in ([], [[]], [[], []]):
        with pytest.raises(DataError, match="nothing to learn from"):
            Tagger().fit(data, data)
        with pytest.raises(DataError, match="development set is empty"):
            Tagger().fit(X, Y, dev=(data, data))


def test_a_tagger_that_has_learned_nothing() -> None:
    for go in (
        lambda: Tagger().predict(X),
        lambda: Tagger().predict_kbest(X, 2),
        lambda: Tagger().score(X, Y),
        lambda: Tagger().save("never"),
        lambda: Tagger().trace(X[0]),
    ):
        with pytest.raises(SettingError, match="learned nothing yet; call fit or load first"):
            go()


def test_a_trace_of_something_else(tagger: Tagger) -> None:
    with pytest.raises(DataError, match="unknown label ZZ"):
        tagger.trace(["a"], ["ZZ"])
    with pytest.raises(DataError, match="differ in number"):
        tagger.trace(["a"], ["D", "N"])
    with pytest.raises(DataError, match="surrogate"):
        tagger.trace([HALF])
    with pytest.raises(DataError, match="is a string"):
        tagger.trace("a b")  # type: ignore[arg-type]


def test_too_few_columns_are_told_with_their_place(tmp_path: Path) -> None:
    C = [[("a", "X"), ("b", "Y")]]
    tagger = Tagger(epochs=1, templates=["w[0]", "p[0]"]).fit(C, [["N", "V"]])
    with pytest.raises(DataError, match="sentence 1: the templates read 2 columns but tokens have 1"):
        tagger.predict([["a"]])
    with pytest.raises(DataError, match="sentence 2: a token has fewer columns"):
        tagger.predict([*C, [("a", "X"), ("b",)]])
    with pytest.raises(DataError, match="the templates read 2 columns but tokens have 1"):
        Tagger(templates=["p[0]"]).fit(X, Y)


def test_files_and_lines_are_named(tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    path.write_text("a B-X\nb I-X\n\nc O\nd I-X\n\n", encoding="utf-8")
    data = list(read(path, format="columns"))
    with pytest.raises(DataError, match=r"data\.txt:5: label 'I-X' is out of place in bio"):
        Tagger(constraints="bio").fit(data)
    path = tmp_path / "data.conllu"
    rows = ["# a remark", "1\ta\t_\tN" + "\t_" * 6, "2\tb\t_\tV" + "\t_" * 6, ""]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    data = list(read(path))
    with pytest.raises(DataError, match=r"data\.conllu:2: word 'a' has no xpos"):
        Tagger(target="xpos").fit(data)
    with pytest.raises(DataError, match=r"data\.conllu:1: no column 'foo'"):
        Tagger(target="foo").fit(data)
    with pytest.raises(DataError, match=r"data\.conllu:1: 2 tokens but 1 labels"):
        Tagger().fit(data, [["N"]])
    with pytest.raises(DataError, match="mixes sentences from files with lists"):
        Tagger().fit([*data, ["a"]])
    tagger = Tagger(epochs=1).fit(data)
    data[0].tokens[1][1] = HALF
    with pytest.raises(DataError, match=r"data\.conllu:1: .*surrogate"):
        tagger.predict(data)
    with pytest.raises(DataError, match=r"data\.conllu:1: .*surrogate"):
        Tagger().fit(data)


@pytest.mark.parametrize(
    "wrong", [{"epochs": 0}, {"search": 4}, {"templates": None}, {"learner": 3}, {"update": 1}]
)
def test_wrong_settings_are_told_at_fit_and_not_before(wrong: dict[str, Any]) -> None:
    tagger = Tagger(**wrong)
    with pytest.raises(SettingError):
        tagger.fit(X, Y)
    with pytest.raises(SettingError):
        tagger.partial_fit(X, Y)


def test_every_error_is_one_of_ours() -> None:
    assert all(issubclass(each, StructronError) for each in (DataError, SettingError))
