"""Answers of forms: the first one of a k-best list, and the share that is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from structron.io.values.answers import answer_key
from structron.io.values.terms import Term
from structron.tasks.semantics.execution.execution import Execution
from structron.tasks.semantics.fitting.answers import Answer

_EMPTY = (answer_key([]), answer_key(()))


def first_answer(forms: Iterable[str | None], execution: Execution) -> object:
    """Return the first answer of these forms that is not empty, else the first answer."""
    found: object = None
    for form in forms:
        answer = None if form is None else execution.answer(form)
        found = answer if found is None else found
        if answer is not None and answer_key(answer) not in _EMPTY:
            return answer
    return found


def share_right(
    gold: Sequence[Term | Answer], forms: Sequence[Term | None], executing: Callable[[], Execution]
) -> float:
    """Return the share of right forms; if only the answer is known, a form with that answer is right."""
    right = 0
    for wanted, form in zip(gold, forms):
        if form is None:
            continue
        if isinstance(wanted, Answer):
            right += executing().is_right(form, answer_key(wanted.value))
        else:
            right += form == wanted
    return right / max(1, len(gold))
