"""Tokens of a text that are given, and dictionaries."""

from __future__ import annotations

import pytest

from structron import Segmenter
from structron.errors import DataError, SettingError
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


def test_segmenters_over_words_refuse_them() -> None:
    words = Segmenter(system="words", epochs=1).fit(["ab c"], [[["ab", "c"]]])
    with pytest.raises(SettingError, match="not for segmenters that search over words"):
        words.predict("abc", given=[(0, 2)])
