"""Semantic parsing on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from structron.cli.commands.info import named_templates
from structron.cli.task_cli import CommonCLI, Plain, Reading
from structron.cli.terminal.counting import counted
from structron.errors import DataError, SettingError
from structron.fit.data.signature import checksum
from structron.io import Question, Report, read_questions
from structron.io.files.sentence import FIX
from structron.io.values.answers import render_answer
from structron.metrics import understanding
from structron.settings import setting, settings
from structron.tasks.semantics.estimator import SemanticParser
from structron.tasks.semantics.execution.executors import executor_of
from structron.tasks.semantics.features import PRESETS
from structron.tasks.semantics.showing import show

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream
    from structron.cli.terminal.request import Show
    from structron.metrics import Judgement
    from structron.model import Model
    from structron.tasks.semantics.task import SemanticTask


@settings
class ReadingSettings:
    """The settings that only say how files are read."""

    answers: bool = setting(
        default=False, help="TRAIN has question TAB answer, or question TAB form", flags="--answers/--forms"
    )


class SemanticsCLI(CommonCLI):
    """The commands of semantic parsing."""

    items, parts = "questions", "words"
    formats: tuple[str, ...] = ("tsv",)
    presets = PRESETS
    estimator = SemanticParser
    reading = ReadingSettings

    def labelled(
        self, place: str, reading: Reading, report: Report, settings: Mapping[str, Any]
    ) -> list[Question]:
        """Return the questions of a file with their forms, or their answers."""
        if settings.get("executor"):
            executor_of(settings["executor"])  # report errors before anything is read
        elif settings.get("answers"):
            raise SettingError("--answers: forms must be executed to be compared; give --executor too")
        if settings.get("answers") and not settings.get("grammar"):
            raise SettingError("--answers: answers do not say which forms there are; give --grammar too")
        return list(_read(place, reading, report, "answer" if settings.get("answers") else "form"))

    def size(self, estimator: SemanticParser) -> str:
        """Return the number of productions, and what could not be learned from."""
        parts = [counted(len(estimator.grammar_), "productions")]
        if estimator.unreachable_:
            parts.append(counted(estimator.unreachable_, "questions without derivation"))
        if estimator.unanswered_:
            parts.append(counted(estimator.unanswered_, "questions without a form that has their answer"))
        parts += self.remarks(estimator)
        return ", ".join(parts)

    def read(
        self, estimator: SemanticParser, stream: Stream, reading: Reading, report: Report
    ) -> Iterator[Question]:
        """Yield the questions of a stream, with forms where it has them.

        With --skip-bad those are left out whose charts would be too large.
        """
        for question in _read(stream, reading, report, "answer" if reading.answers else None):
            if reading.skip_bad and (wrong := estimator.too_large(question)):
                report.add(f"{question.place}: {wrong}; {FIX}")
                continue
            yield question

    def take_executor(self, estimator: SemanticParser, name: str) -> None:
        """Execute forms by a function that is named."""
        executor_of(name)  # report errors before anything is read
        estimator.executor = name

    def predicted(
        self, estimator: SemanticParser, items: Sequence[Question], kbest: int | None
    ) -> Iterator[str]:
        """Yield lines: question TAB form, then TAB answer if forms can be executed.

        With `kbest` TAB rank TAB score stand behind the form, and each has a line.
        """
        if kbest is None:
            forms = estimator.predict(items)
            answers = [None] * len(items) if estimator.executor is None else estimator.answers(forms)
            for question, form, answer in zip(items, forms, answers):
                columns = [question.text, *([] if form is None else [form])]
                columns += [] if answer is None else [render_answer(answer)]
                yield "\t".join(columns) + "\n"
            return
        for question, found in zip(items, estimator.predict_kbest(items, kbest)):
            if not found:
                yield f"{question.text}\n"
            forms = [form for form, _ in found]
            answers = [None] * len(forms) if estimator.executor is None else estimator.answers(forms)
            for rank, ((form, score), answer) in enumerate(zip(found, answers), 1):
                shown = "" if answer is None else f"\t{render_answer(answer)}"
                yield f"{question.text}\t{form}\t{rank}\t{score:.6g}{shown}\n"

    def remarks(self, estimator: SemanticParser) -> list[str]:
        """Describe the forms that the executor did not answer."""
        counts = estimator.executed_
        failed = [
            f"{number:,} {told}"
            for number, told in ((counts.raised, "raised an error"), (counts.timed_out, "took too long"))
            if number
        ]
        if not failed:
            return []
        return [f"of {counts.ran:,} forms executed, {' and '.join(failed)}: {counts.first_message}"]

    def measure(self, estimator: SemanticParser, items: list[Question], confused: int) -> Plain:
        """Return exact match of forms, and right answers where there is an executor."""
        answered = estimator.executor is not None
        for item in items:
            if item.form is None and item.answer is None:
                raise DataError(f"{item.place}: there is no form to score against; write question TAB form")
        gold = [item.form for item in items]
        guess = estimator.predict(items)
        answers = None
        if answered:
            # Where the answer of a question is not given, it is that of its form.
            known = zip(items, estimator.answers([None if form is None else str(form) for form in gold]))
            answers = (
                [answer if item.answer is None else item.answer for item, answer in known],
                estimator.answers(guess),
            )
        figures = _figures(None if None in gold else (gold, guess), answers)
        figures["evaluated_on"] = checksum(
            [item.text for item in items], [[str(item.form), str(item.answer)] for item in items]
        )
        if remarks := self.remarks(estimator):
            counts = estimator.executed_
            figures |= {"raised": counts.raised, "timed_out": counts.timed_out, "failed": remarks[0]}
        return figures

    def compare(
        self, guess: list[Question], gold: list[Question], settings: Mapping[str, Any], confused: int
    ) -> Plain:
        """Compare forms that were predicted before with gold, question by question."""
        _check_same(guess, gold)
        return _figures(([item.form for item in gold], [item.form for item in guess]), None)

    def judged(self, estimator: SemanticParser, items: list[Question]) -> list[Judgement]:
        """Return gold forms beside those that the model finds, part by part."""
        return _judged(items, estimator.predict(items))

    def judged_before(
        self, guess: list[Question], gold: list[Question], settings: Mapping[str, Any]
    ) -> list[Judgement]:
        """Return gold forms beside those that were predicted before, part by part."""
        _check_same(guess, gold)
        return _judged(gold, [item.form for item in guess])

    def measured(self, figures: Plain) -> list[str]:
        """Return the figures as lines of text."""
        lines = []
        if "exact_match" in figures:
            lines.append(
                f"exact match  {100 * figures['exact_match']:7.2f} %   of {figures['questions']:,} questions"
            )
        if "accuracy" in figures:
            lines += [
                f"{told:12} {100 * figures[name]:7.2f} %   {note}".rstrip()
                for told, name, note in (
                    ("answers", "accuracy", f"of {figures['questions']:,} questions"),
                    ("precision", "precision", f"of {figures['answered']:,} answers"),
                    ("recall", "recall", ""),
                    ("F1", "f1", ""),
                )
            ]
        if figures.get("spurious"):
            lines.append(f"{figures['spurious']:,} right answers by a wrong form")
        if figures.get("failed"):
            lines.append(figures["failed"])
        return lines

    def show(self, estimator: SemanticParser, request: Show) -> Iterable[str]:
        """Return the productions of gold and guess with the words that they say."""
        return show(estimator, request)

    def about(self, model: Model[SemanticTask]) -> Plain:
        """Return productions, names, templates, and what could not be learned from."""
        task = model.task
        return {
            "productions": len(task.spoken),
            "names": len(task.grammar) - len(task.spoken),
            "templates": list(task.templates),
            "trust": task.trust,
            "chain": task.chain,
            "unreachable": model.about.get("unreachable", 0),
            "unanswered": model.about.get("unanswered", 0),
        }

    def describe(self, about: Plain) -> dict[str, str]:
        """Return the same as text, by name."""
        pairs = {
            "task": f"semantic parsing, {counted(about['productions'], 'productions')}, "
            f"{counted(about['names'], 'names')}, {counted(len(about['templates']), 'templates')}",
            "templates": named_templates(about["templates"], PRESETS),
        }
        if about["unreachable"]:
            pairs["left out"] = f"{about['unreachable']:,} questions have no derivation of their form"
        if about["unanswered"]:
            pairs["left out"] = f"{about['unanswered']:,} questions have no form with their answer"
        return pairs


Pair = tuple[Sequence[Any], Sequence[Any]]


def _check_same(guess: Sequence[Question], gold: Sequence[Question]) -> None:
    """Refuse predictions for other questions."""
    if len(guess) != len(gold):
        raise DataError(f"{len(guess):,} predictions for {len(gold):,} questions; give one for each")
    for ours, theirs in zip(guess, gold):
        if ours.words != theirs.words:
            raise DataError(f"{ours.place}: not the question of {theirs.place}; predict the same file")


def _judged(gold: Sequence[Question], guess: Sequence[Any]) -> list[Judgement]:
    from structron.metrics.meaning import judge_form

    for item in gold:
        if item.form is None:
            raise DataError(f"{item.place}: there is no form to compare with; write question TAB form")
    return [judge_form(item.place, item.text, item.form or "", form) for item, form in zip(gold, guess)]


def _figures(forms: Pair | None, answers: Pair | None) -> Plain:
    """Return the figures of gold and guesses."""
    found = understanding(forms=forms, answers=answers)
    names = ("exact_match", "accuracy", "answered", "precision", "recall", "f1", "spurious")
    figures = {name: getattr(found, name) for name in names}
    return {"questions": found.questions} | {name: v for name, v in figures.items() if v is not None}


def _read(place: Any, reading: Reading, report: Report, target: str | None) -> Iterator[Question]:
    if reading.columns is not None:
        raise SettingError("questions have no columns to name; leave --columns out")
    if reading.format not in (None, "tsv"):
        raise SettingError(f"questions are not read from {reading.format}; leave --format out, or use tsv")
    return read_questions(
        place,
        target=target,
        skip_bad=reading.skip_bad,
        report=report,
        encoding=reading.encoding,
        blanks=reading.blanks,
    )


CLI = SemanticsCLI()
