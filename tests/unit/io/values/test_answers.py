"""Answers: which are equal, how they are written, and what is told of those that cannot be compared."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from structron.errors import DataError
from structron.io.values.answers import answer_key, parse_answer, render_answer
from structron.io.values.terms import Term, parse_term

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), max_size=5)
VALUES = st.recursive(
    TEXTS | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans(),
    lambda parts: st.lists(parts, max_size=3) | st.lists(parts, max_size=3).map(tuple),
    max_leaves=6,
)


@given(VALUES)
def test_what_is_written_is_read_as_an_equal_answer(answer: Any) -> None:
    assert answer_key(parse_answer(render_answer(answer))) == answer_key(answer)


@given(st.lists(VALUES, max_size=4), st.randoms())
@example(["", ("",), ()], random.Random(2))
def test_order_and_repetition_do_not_count_in_lists(values: list[Any], rng: random.Random) -> None:
    other = values + values[:1]
    rng.shuffle(other)
    assert answer_key(other) == answer_key(values)
    assert render_answer(other) == render_answer(values)


def test_the_rule() -> None:
    assert answer_key(["a", "b"]) == answer_key({"b", "a"}) == answer_key(frozenset("ab"))
    assert answer_key(("a", "b")) != answer_key(("b", "a"))
    assert answer_key(["a"]) != answer_key("a") != answer_key(("a",))
    assert answer_key([5]) == answer_key([5.0])
    assert answer_key(True) != answer_key(1)
    assert answer_key(float("nan")) == answer_key(float("nan"))
    assert answer_key({"a": [1, 2]}) == answer_key({"a": [2, 1]})
    assert answer_key([parse_term("texas"), parse_term("5")]) == answer_key(["texas", 5])
    assert answer_key([parse_term("stateid(texas)")]) == answer_key([parse_term("stateid('texas')")])
    assert answer_key([]) != answer_key(None)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (iter([1]), "an answer of type list_iterator can be read once only; make it a list"),
        (bytearray(b"a"), "answers of type bytearray cannot be compared; return text, numbers"),
    ],
)
def test_what_cannot_be_compared_is_told(answer: Any, message: str) -> None:
    with pytest.raises(DataError) as caught:
        answer_key(answer)
    assert str(caught.value).startswith(message)


def test_a_list_in_itself_is_told() -> None:
    inside: list[Any] = []
    inside.append(inside)
    with pytest.raises(DataError, match="more than 20 levels"):
        answer_key(inside)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1: the answer is empty; write [] where nothing is found"),
        ('["a]', "column 2: the double quote is not closed; correct the answer"),
        ("[a", "column 3: the bracket of column 1 is not closed; correct the answer"),
        ("[a,]", "column 4: ']' where a value is needed; correct the answer"),
        ("[a]b", "column 4: 'b' after the end of the answer; put a name with blanks into quotes"),
        ("[,a]", "column 2: ',' where a name is needed; correct the form"),
        ("[" * 10_000, "column 22: an answer of more than 20 levels; correct it"),
    ],
)
def test_faults_are_told_by_their_column(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_answer(text)
    assert str(caught.value) == message


def test_blanks_are_passed_over() -> None:
    assert parse_answer(" [ 'new york' , (a, 0.5 ) , [ ] ] ") == ["new york", ("a", 0.5), []]


def test_texts_of_json_are_texts() -> None:
    assert parse_answer('["new york", (5, "a \\"b\\"")]') == ["new york", (5, 'a "b"')]
    for own in ('"a"', '"', [Term('"a"')]):
        assert answer_key(parse_answer(render_answer(own))) == answer_key(own)
