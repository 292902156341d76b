"""Questions with their meaning: ``question TAB form`` or ``question TAB answer``, one a line.

Beside a form its answer may stand, in a third column; so it is when predictions are written. How forms are
written is said in `structron.io.values.terms`, and how answers are in `structron.io.values.answers`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from structron.errors import DataError, SettingError
from structron.io.files import streams
from structron.io.files.encoding import Encoding
from structron.io.files.reading import Report
from structron.io.files.sentence import FIX
from structron.io.files.streams import Place
from structron.io.values.answers import parse_answer, render_answer
from structron.io.values.terms import Term, parse_term

TARGETS = ("form", "answer")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its form and answer if known, and its place; its length is its number of words."""

    text: str
    form: Term | None = None
    answer: Any = None
    file: str = "(memory)"
    line: int = 0

    def __len__(self) -> int:
        return len(self.words)

    @property
    def words(self) -> list[str]:
        """Split the question at blanks."""
        return self.text.split()

    @property
    def place(self) -> str:
        """Return ``file:line`` for messages."""
        return f"{self.file}:{self.line}"


def read_questions(
    place: Place,
    *,
    target: str | None = "form",
    skip_bad: bool = False,
    report: Report | None = None,
    encoding: str | Encoding = "utf-8",
    blanks: bool = False,
) -> Iterator[Question]:
    """Read the questions of a file, line by line.

    Parameters
    ----------
    place
        A path, ``-`` for standard input, or an open file; plain or compressed, which is detected.
    target
        The second column: a ``form``, which an answer may follow, or an ``answer``. With None
        there need be none, as in input for prediction; text after a tab that is not a form is skipped.
    skip_bad
        Skip lines with errors and count them in `report`; otherwise the first one
        raises DataError.
    report
        Receives the count and the first messages.
    encoding
        The encoding, see `structron.io.read`.
    blanks
        Whether a blank line is an empty question, so that what goes out lines up with what came in.
    """
    if target is not None and target not in TARGETS:
        raise SettingError(f"target {target!r} is not known; use one of {', '.join(TARGETS)}")
    return _read(place, target, skip_bad, report or Report(), encoding, blanks)


def _read(
    place: Place, target: str | None, skip_bad: bool, report: Report, encoding: str | Encoding, blanks: bool
) -> Iterator[Question]:
    with streams.reading(place, encoding) as lines:
        for number, line in enumerate(lines, 1):
            if not line or line.isspace():
                if blanks:
                    yield Question("", None, None, lines.file, number)
                continue
            where = f"{lines.file}:{number}"
            try:
                if number in lines.broken:
                    raise DataError(f"{where}: {lines.broken[number]}")
                text, form, answer = _parsed(line, target, where)
            except DataError as error:
                if not skip_bad:
                    raise
                report.add(str(error))
                continue
            yield Question(text, form, answer, lines.file, number)


def _parsed(line: str, target: str | None, where: str) -> tuple[str, Term | None, Any]:
    text, *columns = [column.strip() for column in line.split("\t")]
    if not text:
        raise DataError(f"{where}: the question is empty; {FIX}")
    if target is None:
        return text, _perhaps(columns[0] if columns else ""), None
    while len(columns) > 1 and not columns[-1]:
        columns.pop()  # tabs at the end of a line
    if not columns:
        raise DataError(f"{where}: no tab where question TAB {target} is needed; {FIX}")
    if len(columns) > (2 if target == "form" else 1):
        raise DataError(f"{where}: {len(columns) + 1} columns where question TAB {target} is needed; {FIX}")
    try:
        if target == "answer":
            return text, None, parse_answer(columns[0])
        form = parse_term(columns[0])
    except DataError as error:
        raise DataError(f"{where}: {target}, {error}") from None
    try:
        return text, form, parse_answer(columns[1]) if len(columns) > 1 else None
    except DataError as error:
        raise DataError(f"{where}: answer, {error}") from None


def _perhaps(column: str) -> Term | None:
    """Parse a form if it is one: an input may have a form already, which `evaluate` needs."""
    try:
        return parse_term(column)
    except DataError:
        return None


def write_questions(questions: Iterable[Question], place: Place) -> None:
    """Write questions, one a line; a path gets its new content only when all went well."""
    with streams.writing(place) as put:
        for question in questions:
            put(render(question))


def render(question: Question) -> str:
    """Write a line ``question TAB form TAB answer`` with its end; unknown parts are left out."""
    if any(c in question.text for c in "\t\n\r") or question.text != question.text.strip():
        raise DataError(
            f"{question.place}: {question.text!r} holds a tab or a line end, or blanks around it, which the "
            "file cannot hold; change it"
        )
    columns = [question.text]
    if question.form is not None:
        columns.append(str(question.form))
    if question.answer is not None:
        columns.append(render_answer(question.answer))
    return "\t".join(columns) + "\n"
