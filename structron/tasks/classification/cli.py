"""Classification on the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from structron.cli.commands.info import named_templates
from structron.cli.draw.confusions import confused_lines
from structron.cli.task_cli import CommonCLI, Plain, Reading
from structron.cli.terminal.counting import counted
from structron.errors import DataError
from structron.fit.data.signature import checksum
from structron.fit.data.unknown_labels import warn_of_unknown
from structron.io import Report
from structron.io.files.encoding import unfit
from structron.io.files.streams import writing
from structron.io.formats.documents import Document, read_documents
from structron.metrics import Judgement, judge_labels
from structron.metrics.labelling import label_scores
from structron.tasks.classification.estimator import Classifier
from structron.tasks.classification.features import PRESETS
from structron.tasks.classification.showing import show

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream
    from structron.cli.terminal.request import Show
    from structron.model import Model
    from structron.tasks.classification.task import ClassificationTask


@dataclass(frozen=True)
class Answer:
    """A document with its predicted labels, and how likely these are right."""

    document: Document
    output: Any
    confidence: str | None = None

    def __str__(self) -> str:
        """Return it as it is written to a file."""
        many = isinstance(self.output, list)
        labels = list(map(str, self.output)) if many else [str(self.output)]
        return self.document.answered(labels, many, self.confidence)

    def with_confidence(self, whole: str) -> Answer:
        """Return the same with how likely it is right."""
        return replace(self, confidence=whole)


class ClassificationCLI(CommonCLI):
    """The commands of classification."""

    items, parts = "documents", "characters"
    formats: tuple[str, ...] = ("tsv", "csv", "jsonl", "svmlight")
    presets = PRESETS
    estimator = Classifier

    def labelled(
        self, place: str, reading: Reading, report: Report, settings: Mapping[str, Any]
    ) -> list[Document]:
        """Return the documents of a file with their labels."""
        many, columns = bool(settings.get("multilabel", False)), reading.columns
        read_so = reading.options(report)
        return list(read_documents(place, columns=columns, many=many, bare=reading.blanks, **read_so))

    def size(self, estimator: Classifier) -> str:
        """Return the number of labels."""
        return counted(len(estimator.labels_), "labels")

    def read(
        self, estimator: Classifier, stream: Stream, reading: Reading, report: Report
    ) -> Iterator[Document]:
        """Return the documents of a stream, with labels where it has them."""
        many, columns = estimator.model_.task.many, reading.columns
        read_so = reading.options(report)
        return read_documents(stream, columns=columns, many=many, bare=True, blanks=reading.blanks, **read_so)

    def predicted(
        self, estimator: Classifier, items: Sequence[Document], kbest: int | None
    ) -> Iterator[Answer | str]:
        """Yield documents with their labels; with `kbest`, lines of rank TAB score TAB label."""
        if kbest is None:
            for item, output in zip(items, estimator.predict(items)):
                yield Answer(item, output)
            return
        for found in estimator.predict_kbest(items, kbest):
            for rank, (output, score) in enumerate(found, 1):
                yield f"{rank}\t{score:.6g}\t{_written(output)}\n"

    def write(self, items: Iterable[Answer | str], file: Any) -> None:
        """Write documents in the format they came in."""
        with writing(file) as put:
            for lines in map(str, items):
                try:
                    put(lines)
                except UnicodeEncodeError as error:
                    raise DataError(f"{lines[:80].rstrip()}: {unfit(error)}") from None

    def measure(self, estimator: Classifier, items: list[Document], confused: int) -> Plain:
        """Return accuracy, and precision, recall and F1 of labels."""
        gold = [_gold(item) for item in items]
        warn_of_unknown(gold, frozenset(estimator.labels_), parts="documents")
        figures = _figures(gold, _guess(estimator, items), confused)
        figures["evaluated_on"] = checksum([str(item.content) for item in items], gold)
        return figures

    def owns(self, format: str, columns: Collection[str]) -> bool:
        """Return whether the format is one of documents."""
        return format in ("csv", "jsonl", "svmlight")

    def compare(
        self, guess: list[Document], gold: list[Document], settings: Mapping[str, Any], confused: int
    ) -> Plain:
        """Compare labels that were predicted before with gold, document by document."""
        _check_as_many(guess, gold)
        return _figures([_gold(item) for item in gold], [_gold(item) for item in guess], confused)

    def judged(self, estimator: Classifier, items: list[Document]) -> list[Judgement]:
        """Return gold beside what the model predicts, label by label."""
        return _judged(items, _guess(estimator, items))

    def judged_before(
        self, guess: list[Document], gold: list[Document], settings: Mapping[str, Any]
    ) -> list[Judgement]:
        """Return gold beside labels that were predicted before."""
        _check_as_many(guess, gold)
        return _judged(gold, [_gold(item) for item in guess])

    def measured(self, figures: Plain) -> list[str]:
        """Return the figures as lines of text."""
        lines = [
            f"accuracy   {100 * figures['accuracy']:7.2f} %   of {figures['documents']:,} documents",
            f"micro F1   {100 * figures['micro_f1']:7.2f} %",
            f"macro F1   {100 * figures['macro_f1']:7.2f} %   of {figures['labels']:,} labels",
        ]
        return [*lines, *confused_lines(figures.get("confusions", []))]

    def show(self, estimator: Classifier, request: Show) -> Iterable[str]:
        """Yield the sums of labels, and what speaks for each."""
        return show(estimator, request)

    def about(self, model: Model[ClassificationTask]) -> Plain:
        """Return labels, templates, and how features count."""
        task = model.task
        return {
            "labels": list(task.labels),
            "templates": list(task.templates),
            "weighting": task.weighting,
            "intercept": task.intercept,
            "inputs": model.about.get("inputs"),
            "multilabel": task.many,
            "vectors": None if task.mistakes is None else int((task.mistakes.votes > 0).sum()),
        }

    def describe(self, about: Plain) -> dict[str, str]:
        """Return the same as text, by name."""
        many = ", any number of them right" if about["multilabel"] else ""
        shown = ", ".join(about["labels"][:8]) + (", …" if len(about["labels"]) > 8 else "")
        pairs = {
            "task": f"classification of {about['inputs']}, {counted(len(about['labels']), 'labels')}{many}",
            "labels": shown,
            "weighting": about["weighting"],
        }
        if about["intercept"]:
            pairs["intercept"] = f"a feature that is {about['intercept']:g} for every input"
        if about["vectors"] is not None:
            pairs["votes"] = f"{counted(about['vectors'], 'weight vectors')} vote"
        if about["templates"]:
            pairs["templates"] = named_templates(about["templates"], PRESETS)
        return pairs


def _figures(gold: list[list[str]], guess: list[list[str]], confused: int) -> Plain:
    scores = label_scores(gold, guess)
    figures: Plain = {
        "documents": scores.inputs,
        "labels": scores.labels,
        "accuracy": scores.accuracy,
        "micro_f1": scores.micro_f1,
        "macro_f1": scores.macro_f1,
    }
    if confused:
        pairs = Counter(
            (right[0], wrong[0]) for right, wrong in zip(gold, guess) if len(right) == len(wrong) == 1
        )
        wrong_ones = [(a, b, n) for (a, b), n in pairs.items() if a != b]
        wrong_ones.sort(key=lambda each: (-each[2], each[0], each[1]))
        figures["confusions"] = [{"gold": a, "guess": b, "times": n} for a, b, n in wrong_ones[:confused]]
    return figures


def _guess(estimator: Classifier, items: list[Document]) -> list[list[str]]:
    found = estimator.predict(items)
    return [[str(each)] if not isinstance(each, list) else [str(label) for label in each] for each in found]


def _judged(items: list[Document], guess: list[list[str]]) -> list[Judgement]:
    return [judge_labels(item.place, item.shown(), _gold(item), labels) for item, labels in zip(items, guess)]


def _check_as_many(guess: list[Document], gold: list[Document]) -> None:
    if len(guess) != len(gold):
        raise DataError(f"{len(gold)} gold documents but {len(guess)} predicted; compare the same ones")


def _gold(item: Document) -> list[str]:
    if item.labels is None:
        raise DataError(f"{item.place}: there is no label to score against; write label TAB text")
    return list(item.labels)


def _written(output: Any) -> str:
    return ",".join(map(str, output)) if isinstance(output, list) else str(output)


CLI = ClassificationCLI()
