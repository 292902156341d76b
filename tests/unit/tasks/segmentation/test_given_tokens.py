"""Tokens of a text that are given, and dictionaries."""

from __future__ import annotations

from typing import Any

import pytest

from structron import Segmenter, _core
from structron.errors import DataError
from structron.fit.data.entries import Entries
from structron.reference import decode
from structron.reference.learners.weights import Weights

TEXTS = ["the dog-like cat barks.", "a cat sleeps. the dog runs.", "an e-mail came."]
GOLD = [
    [["the", "dog", "-", "like", "cat", "barks", "."]],
    [["a", "cat", "sleeps", "."], ["the", "dog", "runs", "."]],
    [["an", "e-mail", "came", "."]],
]


@pytest.fixture(scope="module")
def segmenter() -> Segmenter:
    return Segmenter(epochs=3).fit(TEXTS, GOLD)


def tokens(segmenter: Segmenter, text: str, given: object) -> list[str]:
    return [word for sentence in segmenter.predict(text, given=given) for word in sentence.words]


def test_given_tokens_are_there(segmenter: Segmenter) -> None:
    text = "a dog-like dog runs."
    assert tokens(segmenter, text, [(2, 10)]) == ["a", "dog-like", "dog", "runs", "."]
    assert tokens(segmenter, text, Entries(["dog-like", "runs."])) == ["a", "dog-like", "dog", "runs."]
    assert tokens(segmenter, text, []) == tokens(segmenter, text, None)
    many = segmenter.predict_kbest([f"{text}\n\n{text}"], 2, given=[[(2, 10), (24, 32)]])[0]
    assert all(sum("dog-like" in sentence.words for sentence in best) == 2 for best, _ in many)


def test_the_definition_keeps_to_them(segmenter: Segmenter) -> None:
    model, text = segmenter.model_, "a dog-like dog runs."
    inputs = segmenter.problem.inputs([text], segmenter._learned())
    (x,) = segmenter.problem.restricted(inputs, [[(2, 10)]], segmenter._learned()).xs
    keys, offsets, columns, values, _ = model.rows
    owner = [key for key, a, b in zip(keys, offsets, offsets[1:]) for _ in range(a, b)]
    weights = Weights({(int(k), int(c)): float(v) for k, c, v in zip(owner, columns, values)})
    best = decode(model.task.space(x), weights, model.search)
    assert model.trace(x).best(0).actions == best.best(0).actions
    assert model.trace(x).best(best.final).actions == best.best(best.final).actions


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([(3, 5)], "does not begin and end where units of the model do"),
        ([(2, 99)], "goes over an empty line or beyond its text"),
        ([(2, 10), (6, 10)], "overlap; give one of them"),
        ([(3, 2)], "is not a token; give (begin, end) of each token, in characters"),
        (["dog"], "is not a token"),
        ("form", "given names columns, which a text does not have"),
    ],
)
def test_wrong_tokens_are_one_sentence(segmenter: Segmenter, given: object, message: str) -> None:
    with pytest.raises(DataError) as raised:
        segmenter.predict("a dog-like dog runs.", given=given)
    assert message in str(raised.value)


def test_a_model_that_never_joins_units_says_so() -> None:
    with pytest.raises(DataError, match="joins units, which this model never does; leave it out"):
        Segmenter(epochs=1).fit(TEXTS[:2], GOLD[:2]).predict("a dog-like dog.", given=[(2, 10)])


@pytest.mark.parametrize("search", ["exact", "greedy", "beam:2", "beam:4+merge", "beam:4+within=1"])
@pytest.mark.parametrize("system", ["words", "joint"])
def test_segmenters_over_words_keep_to_them(system: str, search: str) -> None:
    texts = ["我们在北京，他们也在。", "北京很大，我们在。"]
    gold: list[Any] = [
        [["我们", "在", "北京", "，", "他们", "也", "在", "。"]],
        [["北京", "很", "大", "，", "我们", "在", "。"]],
    ]
    if system == "joint":
        gold = [[[(word, "NN") for word in one] for one in each] for each in gold]
    own = Segmenter(system=system, search=search, epochs=4).fit(texts, gold)
    text = "我们在北京，他们在。"
    assert tokens(own, text, None)[:3] == ["我们", "在", "北京"]
    found = tokens(own, text, [(1, 3), (6, 8)])
    assert found[:2] == ["我", "们在"] and "他们" in found and "".join(found) == text
    # A clause ends at the comma; a word that is given may go over it.
    assert "京，他" in tokens(own, text, [(4, 7)]) and "".join(tokens(own, text, [(4, 7)])) == text
    assert tokens(own, text, Entries(["在北京", "京，"]))[1] == "在北京"
    assert all("京，他" in one[0].words for one, _ in own.predict_kbest([text], 3, given=[[(4, 7)]])[0])
    assert own.predict_kbest([text], 2, given=[[]]) == own.predict_kbest([text], 2)
    light = Entries(["们在"], weight=1e6)
    assert "们在" in tokens(own, "我们在", light)
    assert "们在" not in tokens(own, "我们在", Entries(["们在"], weight=0))


def test_words_that_cannot_be_are_one_sentence() -> None:
    own = Segmenter(system="words", epochs=2).fit(["我们 在"], [[["我们", "在"]]])
    with pytest.raises(
        DataError, match="contains white space, which no word of this model does; leave it out"
    ):
        own.predict("我们 在", given=[(1, 4)])
    with pytest.raises(DataError, match="does not begin and end where characters do; leave it out"):
        own.predict("e\u0301a", given=[(1, 3)])
    with pytest.raises(DataError, match="one duty for each character"):
        own.model_.predict([_core.Restricted("我们", b"\0")])
    with pytest.raises(DataError, match="must be bytes"):
        own.model_.predict([_core.Restricted("我们", [0, 0])])
