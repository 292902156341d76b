"""Inputs of a semantic parser: questions, forms, answers, a grammar, and names."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path

from structron.errors import DataError
from structron.fit.data.examples import Examples
from structron.fit.data.inputs import check_text, listed
from structron.io.files.streams import reading
from structron.io.formats.questions import Question
from structron.io.values.answers import answer_key, render_answer
from structron.io.values.terms import Term, parse_term
from structron.model import numbered
from structron.tasks.semantics.fitting.answers import Answer
from structron.tasks.semantics.language.gazetteer import Gazetteer
from structron.tasks.semantics.language.grammar import Grammar


def place_of(items: Sequence[object]) -> Callable[[int], str]:
    """Return a function that names the places of questions, for messages."""

    def place(i: int) -> str:
        item = items[i]
        return item.place if isinstance(item, Question) else numbered(i)

    return place


def targets_of(y: Iterable[object] | None, answers: Iterable[object] | None) -> Iterable[object] | None:
    """Return forms or answers as `examples_of` takes them."""
    if answers is None:
        return y
    if y is not None:
        raise DataError("forms and answers are given; learn from one of them")
    return [Answer(answer) for answer in listed(answers, "answers", "give a list of answers")]


def examples_of(X: Iterable[object], y: Iterable[object] | None) -> Examples[None]:
    """Read questions as words, each with its form or its answer."""
    items = listed(X, "X", "give a list of questions")
    place = place_of(items)
    words = [words_of(item, place(i)) for i, item in enumerate(items)]
    if y is None:
        targets: list[object] = [target_of(item) for item in items]
        if None in targets:
            raise DataError("y is missing; give a form for each question, or answers=")
    else:
        targets = listed(y, "y", "give a list of forms")
    what = "answers" if any(isinstance(each, Answer) for each in targets) else "forms"
    if len(targets) != len(items):
        raise DataError(f"{len(items):,} questions but {len(targets):,} {what}; give one for each")
    return Examples(words, [gold_of(each, place(i)) for i, each in enumerate(targets)], None, place)


def words_of(item: object, where: str) -> list[str]:
    """Return the words of a question, in lower case."""
    if isinstance(item, Question):
        return [word.lower() for word in item.words]
    if isinstance(item, str):
        check_text(item, where)
        return item.lower().split()
    words = listed(item, where, "give a str or a list of words")
    for word in words:
        if not isinstance(word, str):
            raise DataError(f"{where}: a word is of type {type(word).__name__}; give a list of str")
        check_text(word, where)
    return [str(word).lower() for word in words]


def target_of(item: object) -> Term | Answer | None:
    """Return the form of a question from a file, else its answer."""
    if not isinstance(item, Question):
        return None
    if item.form is not None:
        return item.form
    return None if item.answer is None else Answer(item.answer)


def gold_of(target: object, where: str) -> Term | Answer:
    """Return a form, or an answer unchanged."""
    return target if isinstance(target, Answer) else form_of(target, where)


def written(target: Term | Answer) -> str:
    """Return a form or an answer as written in files."""
    return f"answer {render_answer(target.value)}" if isinstance(target, Answer) else str(target)


def key_of(answer: object, where: str) -> Hashable:
    """Return the comparison key of an answer."""
    if answer is None:
        raise DataError(f"{where}: None is not an answer; write [] where nothing is found")
    try:
        return answer_key(answer)
    except DataError as error:
        raise DataError(f"{where}: {error}") from None


def form_of(form: object, where: str) -> Term:
    """Return a form, which may be given as text."""
    if isinstance(form, Term):
        return form
    if not isinstance(form, str):
        raise DataError(f"{where}: a form is of type {type(form).__name__}; give a str, such as 'city(all)'")
    try:
        return parse_term(form)
    except DataError as error:
        raise DataError(f"{where}: {error}") from None


def grammar_of(given: Grammar | str | Path) -> Grammar | None:
    """Return a grammar, given as such, as its lines, or as a file."""
    if not given:
        return None
    if isinstance(given, Grammar):
        return given
    if isinstance(given, str) and "->" in given:
        return Grammar.parse(given)
    with reading(given) as found:
        return Grammar.parse(list(found), str(given))


def gazetteer_of(names: Gazetteer | Iterable[tuple[str, str]] | str | Path) -> Gazetteer:
    """Return names, given as such or as a file."""
    if isinstance(names, Gazetteer):
        return names
    if isinstance(names, str | Path):
        return Gazetteer.read(names)
    return Gazetteer.of((name.split(), parse_term(constant)) for name, constant in names)
