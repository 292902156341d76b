"""Scores of questions: forms up to normal form, answers by value, and which right answers are no merit."""

from __future__ import annotations

from typing import Any

import pytest

from structron.errors import DataError
from structron.io.values.terms import parse_term
from structron.metrics.meaning import Understanding, exact_match, right_answers, understanding

GOLD_FORMS = ["f(a, _)", "g('b')", "h(c)", "h(d)", "k"]
FORMS = ["f(a,_)", "g(b)", "h(d)", None, "l"]
GOLD_ANSWERS = [["x", "y"], 5, ["z"], [], ["w"]]
ANSWERS = [["y", "x", "x"], 5.0, ["z"], None, ["v"]]


def test_all_counts_by_hand() -> None:
    scores = understanding(forms=(GOLD_FORMS, FORMS), answers=(GOLD_ANSWERS, ANSWERS))
    assert scores == Understanding(questions=5, exact=2, answered=4, right=3, spurious=1)
    assert (scores.exact_match, scores.accuracy, scores.recall) == (0.4, 0.6, 0.6)
    assert scores.precision == 0.75 and scores.f1 == pytest.approx(2 * 0.75 * 0.6 / 1.35)


def test_what_is_not_given_is_not_measured() -> None:
    forms = understanding(forms=(GOLD_FORMS, FORMS))
    assert forms == Understanding(5, exact=2)
    assert forms.accuracy is forms.precision is forms.recall is forms.f1 is None
    answers = understanding(answers=(GOLD_ANSWERS, ANSWERS))
    assert answers == Understanding(5, answered=4, right=3) and answers.exact_match is None


def test_no_answers_at_all() -> None:
    none = understanding(answers=([[], 1], [None, None]))
    assert (none.precision, none.recall, none.f1) == (0.0, 0.0, 0.0)


def test_an_empty_answer_is_one_and_none_is_not() -> None:
    assert right_answers([[], []], [[], None]) == [True, False]
    assert exact_match(["a"], [None]) == [False]
    assert exact_match([parse_term("'5'")], ["5"]) == [False]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "there is nothing to score; give forms, or answers"),
        ({"forms": ([], [])}, "there is nothing to score; check that the file has questions"),
        ({"forms": (["a"], [])}, "1 gold forms but 0 guessed; score the same questions"),
        ({"answers": ([1], [1, 2])}, "1 gold answers but 2 guessed; score the same questions"),
        ({"forms": (["a"], ["a"]), "answers": ([1, 2], [1, 2])}, "1 forms but 2 answers; score the same"),
    ],
)
def test_what_cannot_be_scored_is_told(given: Any, message: str) -> None:
    with pytest.raises(DataError) as caught:
        understanding(**given)
    assert str(caught.value).startswith(message)
