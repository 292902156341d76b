"""How semantic parsers read, write, score and describe themselves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from structron.cli.counting import counted
from structron.cli.face import Plain, Reading, Show
from structron.cli.info import named_templates
from structron.cli.lines import write_lines
from structron.cli.semantics.showing import show
from structron.data import Question, Report, read_questions
from structron.errors import DataError, SettingError
from structron.estimators.semantics import SemanticParser
from structron.estimators.signature import checksum
from structron.features.semantics import PRESETS
from structron.metrics import understanding
from structron.training.setting import setting

if TYPE_CHECKING:
    from structron.cli.streams import Stream
    from structron.model import Model
    from structron.tasks.semantics import SemanticTask


@dataclass(frozen=True)
class ExtraSettings:
    """What a semantic parser takes besides its recipe."""

    grammar: str = setting(
        "", "A file with the productions of the language, TYPE -> f(TYPE); else read off the forms", "FILE"
    )
    names: str = setting("", "A file of names, words TAB constant", "FILE")


class Semantics:
    """The face of semantic parsing."""

    items, parts = "questions", "words"
    sides: tuple[str, ...] = ()
    presets = PRESETS
    estimator = SemanticParser
    extra = ExtraSettings

    def labelled(
        self, place: str, reading: Reading, report: Report, settings: Mapping[str, Any]
    ) -> list[Question]:
        """The questions of a file with their forms."""
        return list(_read(place, reading, report, "form"))

    def split(self, items: Sequence[Question]) -> tuple[Sequence[Any], None]:
        """They have their forms with them."""
        return items, None

    def size(self, estimator: SemanticParser) -> str:
        """How many productions, and what could not be learned from."""
        parts = [counted(len(estimator.grammar_), "productions")]
        if estimator.unreachable_:
            parts.append(counted(estimator.unreachable_, "questions without derivation"))
        return ", ".join(parts)

    def read(
        self, estimator: SemanticParser, stream: Stream, reading: Reading, report: Report
    ) -> Iterator[Question]:
        """The questions of a stream, with forms where it has them."""
        return _read(stream, reading, report, None)

    def predicted(
        self, estimator: SemanticParser, items: Sequence[Question], kbest: int | None
    ) -> Iterator[str]:
        """Lines: question TAB form; with `kbest` also TAB rank TAB score, a line for each."""
        if kbest is None:
            for question, form in zip(items, estimator.predict(items)):
                yield f"{question.text}\t{form}\n" if form is not None else f"{question.text}\n"
            return
        for question, found in zip(items, estimator.predict_kbest(items, kbest)):
            if not found:
                yield f"{question.text}\n"
            for rank, (form, score) in enumerate(found, 1):
                yield f"{question.text}\t{form}\t{rank}\t{score:.6g}\n"

    def write(self, items: Iterable[str], file: Any) -> None:
        """One after the other."""
        write_lines(items, file)

    def remarks(self, estimator: SemanticParser) -> list[str]:
        """Nothing."""
        return []

    def measure(self, estimator: SemanticParser, items: list[Question], confused: int) -> Plain:
        """Exact match of forms."""
        for item in items:
            if item.form is None:
                raise DataError(f"{item.place}: there is no form to score against; write question TAB form")
        figures = _figures([item.form for item in items], estimator.predict(items))
        figures["evaluated_on"] = checksum(
            [item.text for item in items], [[str(item.form)] for item in items]
        )
        return figures

    def owns(self, format: str, columns: Collection[str]) -> bool:
        """Its files look like those of pairs."""
        return False

    def compare(
        self, guess: list[Question], gold: list[Question], settings: Mapping[str, Any], confused: int
    ) -> Plain:
        """The same for forms that were predicted before, question by question."""
        if len(guess) != len(gold):
            raise DataError(f"{len(guess):,} predictions for {len(gold):,} questions; give one for each")
        for ours, theirs in zip(guess, gold):
            if ours.words != theirs.words:
                raise DataError(f"{ours.place}: not the question of {theirs.place}; predict the same file")
        return _figures([item.form for item in gold], [item.form for item in guess])

    def measured(self, figures: Plain) -> list[str]:
        """The same for people."""
        return [f"exact match  {100 * figures['exact_match']:7.2f} %   of {figures['questions']:,} questions"]

    def show(self, estimator: SemanticParser, request: Show) -> Iterable[str]:
        """The productions of gold and guess with the words that they say."""
        return show(estimator, request)

    def about(self, model: Model[SemanticTask]) -> Plain:
        """Productions, names, templates, and what could not be learned from."""
        task = model.task
        return {
            "productions": len(task.spoken),
            "names": len(task.grammar) - len(task.spoken),
            "templates": list(task.templates),
            "trust": task.trust,
            "chain": task.chain,
            "unreachable": model.about.get("unreachable", 0),
        }

    def describe(self, about: Plain) -> dict[str, str]:
        """The same for people."""
        pairs = {
            "task": f"semantic parsing, {counted(about['productions'], 'productions')}, "
            f"{counted(about['names'], 'names')}, {counted(len(about['templates']), 'templates')}",
            "templates": named_templates(about["templates"], PRESETS),
        }
        if about["unreachable"]:
            pairs["left out"] = f"{about['unreachable']:,} questions have no derivation of their form"
        return pairs


def _figures(gold: Sequence[Any], guess: Sequence[Any]) -> Plain:
    found = understanding(forms=(gold, guess))
    return {"questions": len(gold), "exact_match": (found.exact_match or 0.0)}


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
