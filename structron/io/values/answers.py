"""Answers to questions: any Python value, the equality of two of them, and their text.

The rule, for all that compares answers: lists and sets are sets, so that order and repetition do not count;
tuples are rows, in which order does; numbers are equal by value; a name in a form and the same text are
equal. None is not an answer.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from typing import Any

from structron.errors import DataError
from structron.io.values.terms import Term, parse_prefix

MAX_NESTING = 20
_FIX = "return text, numbers, terms, or tuples, lists, sets or dicts of them"


def answer_key(answer: Any, _depth: int = 0) -> Hashable:
    """Return a key for comparing answers: equal answers have equal keys.

    Examples
    --------
    >>> answer_key(["b", "a", "a"]) == answer_key({"a", "b"})
    True
    >>> answer_key(("a", "b")) == answer_key(("b", "a"))
    False
    """
    if _depth > MAX_NESTING:
        raise DataError(f"an answer of more than {MAX_NESTING} levels; {_FIX}")
    if isinstance(answer, bool):
        return "true" if answer else "false"  # as it is written, and apart from 1 and 0
    if isinstance(answer, Term):
        return answer if answer.arguments else answer.value
    if isinstance(answer, (str, int)):
        return answer
    if isinstance(answer, (list, set, frozenset)):
        return "set", frozenset(answer_key(each, _depth + 1) for each in answer)
    if isinstance(answer, tuple):
        return "row", tuple(answer_key(each, _depth + 1) for each in answer)
    if isinstance(answer, dict):
        return "map", frozenset(
            (answer_key(name, _depth + 1), answer_key(each, _depth + 1)) for name, each in answer.items()
        )
    if isinstance(answer, Iterator):
        raise DataError(f"an answer of type {type(answer).__name__} can be read once only; make it a list")
    if answer != answer:
        return "not a number"
    try:
        hash(answer)
    except TypeError:
        raise DataError(f"answers of type {type(answer).__name__} cannot be compared; {_FIX}") from None
    return answer  # type: ignore[no-any-return]


def render_answer(answer: Any) -> str:
    """Write an answer so that `parse_answer` reads an equal one; lists and sets are sorted.

    Examples
    --------
    >>> render_answer(["new york", "austin", 5])
    "[5,austin,'new york']"
    """
    if isinstance(answer, bool):
        return "true" if answer else "false"
    if isinstance(answer, Term):
        return str(answer) if answer.arguments else render_answer(answer.value)
    if isinstance(answer, (list, set, frozenset)):
        texts = sorted(
            {render_answer(each) for each in answer}, key=lambda text: (text.replace("'", ""), text)
        )
        return f"[{','.join(texts)}]"
    if isinstance(answer, tuple):
        return f"({','.join(render_answer(each) for each in answer)})"
    if isinstance(answer, (int, float)):
        return repr(answer)
    bare = Term(str(answer))
    # A text that looks like a number needs its quotes, and one that looks like a text of JSON.
    is_plain = isinstance(bare.value, str) and not bare.name.startswith('"')
    return str(bare if is_plain else Term(bare.name, (), True))


def parse_answer(text: str) -> Any:
    """Parse an answer: a list ``[a,b]``, a row ``(a,b)``, a number, a name or a term.

    Names with blanks stand in single quotes, or in double ones as JSON has them.

    Examples
    --------
    >>> parse_answer("['new york', 5, (a, 0.5)]")
    ['new york', 5, ('a', 0.5)]
    >>> parse_answer('["new york", 5]')
    ['new york', 5]
    """
    if not text.strip():
        raise DataError("column 1: the answer is empty; write [] where nothing is found")
    value, at = _parse(text, 0, 0)
    if at < len(text):
        raise DataError(
            f"column {at + 1}: {text[at]!r} after the end of the answer; put a name with blanks into quotes"
        )
    return value


def _parse(text: str, at: int, depth: int) -> tuple[Any, int]:
    at = _blanks(text, at)
    if text.startswith('"', at):
        try:
            value, at = json.JSONDecoder().raw_decode(text, at)
        except ValueError:
            raise DataError(f"column {at + 1}: the double quote is not closed; correct the answer") from None
        return value, _blanks(text, at)
    closing = {"[": "]", "(": ")"}.get(text[at : at + 1])
    if closing is None:
        term, at = parse_prefix(text, at)
        return term.value, at
    if depth > MAX_NESTING:
        raise DataError(f"column {at + 1}: an answer of more than {MAX_NESTING} levels; correct it")
    begin, values = at, []
    at = _blanks(text, at + 1)
    while not text.startswith(closing, at):
        value, at = _parse(text, at, depth + 1)
        values.append(value)
        if text.startswith(",", at):
            at = _blanks(text, at + 1)
            if text.startswith(closing, at):
                raise DataError(f"column {at + 1}: {closing!r} where a value is needed; correct the answer")
        elif not text.startswith(closing, at):
            raise DataError(
                f"column {at + 1}: the bracket of column {begin + 1} is not closed; correct the answer"
            )
    return (values if closing == "]" else tuple(values)), _blanks(text, at + 1)


def _blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
