"""Scores of question understanding: exact match of forms; accuracy, precision, recall and F1 of answers.

A question may go without an answer, if there is no form for it or its form cannot be executed. Precision is
the share of right answers among those given, recall that among all questions (Zettlemoyer & Collins 2005);
accuracy is the same as recall. A right answer by a wrong form is spurious.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from structron.errors import DataError
from structron.io.values.answers import answer_key
from structron.io.values.terms import Term, parse_term

if TYPE_CHECKING:
    from structron.metrics.reports import Judgement

Form = Term | str | None


@dataclass(frozen=True)
class Understanding:
    """Counts of questions: all, with a right form, with an answer, with a right one, with a spurious one.

    Scores without forms or answers to compare with are None.
    """

    questions: int
    exact: int | None = None
    answered: int | None = None
    right: int | None = None
    spurious: int | None = None

    @property
    def exact_match(self) -> float | None:
        """Return the share of questions whose form is right, up to normal form."""
        return None if self.exact is None else self.exact / self.questions

    @property
    def accuracy(self) -> float | None:
        """Return the share of questions whose answer is right."""
        return None if self.right is None else self.right / self.questions

    @property
    def recall(self) -> float | None:
        """Return the accuracy."""
        return self.accuracy

    @property
    def precision(self) -> float | None:
        """Return the share of answers that are right; 0 if there are none."""
        if self.right is None or self.answered is None:
            return None
        return self.right / self.answered if self.answered else 0.0

    @property
    def f1(self) -> float | None:
        """Return the harmonic mean of precision and recall."""
        if self.precision is None or self.recall is None:
            return None
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def exact_match(gold: Sequence[Form], guess: Sequence[Form]) -> list[bool]:
    """Return for each question True if the form is right; None means no form, which is never right.

    Examples
    --------
    >>> exact_match(["size(cityid('erie', _))", "a"], ["size(cityid(erie,_))", None])
    [True, False]
    """
    _check(gold, guess, "forms")
    return [_read(a) == _read(b) and b is not None for a, b in zip(gold, guess)]


def right_answers(gold: Sequence[Any], guess: Sequence[Any]) -> list[bool]:
    """Return for each question True if the answer is right; None means no answer, which is never right.

    Examples
    --------
    >>> right_answers([["a", "b"], 5, []], [["b", "a"], None, []])
    [True, False, True]
    """
    _check(gold, guess, "answers")
    return [b is not None and answer_key(a) == answer_key(b) for a, b in zip(gold, guess)]


def understanding(
    *,
    forms: tuple[Sequence[Form], Sequence[Form]] | None = None,
    answers: tuple[Sequence[Any], Sequence[Any]] | None = None,
) -> Understanding:
    """Count from gold and guessed forms, gold and guessed answers, or both."""
    if forms is None and answers is None:
        raise DataError("there is nothing to score; give forms, or answers")
    matched = None if forms is None else exact_match(*forms)
    correct = None if answers is None else right_answers(*answers)
    if matched is not None and correct is not None and len(matched) != len(correct):
        raise DataError(f"{len(matched)} forms but {len(correct)} answers; score the same questions")
    return Understanding(
        len(matched if matched is not None else correct or ()),
        None if matched is None else sum(matched),
        None if answers is None else sum(answer is not None for answer in answers[1]),
        None if correct is None else sum(correct),
        None if matched is None or correct is None else sum(c and not m for m, c in zip(matched, correct)),
    )


def _read(form: Form) -> Term | None:
    return parse_term(form) if isinstance(form, str) else form


def _check(gold: Sequence[Any], guess: Sequence[Any], what: str) -> None:
    if len(gold) != len(guess):
        raise DataError(f"{len(gold)} gold {what} but {len(guess)} guessed; score the same questions")
    if not gold:
        raise DataError("there is nothing to score; check that the file has questions")


def judge_form(place: str, question: str, gold: Term | str, guess: Form) -> Judgement:
    """Judge a form name by name, in the order in which it is written; without a form all are wrong."""
    from structron.metrics.reports import judge_symbols

    right, said = ([] if each is None else _names(parse_term(str(each))) for each in (gold, guess))
    return judge_symbols(place, question, [right], said, "exact match")


def _names(term: Term) -> list[str]:
    return [term.name, *(name for part in term.arguments for name in _names(part))]
