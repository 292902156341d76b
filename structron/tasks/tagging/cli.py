"""Tagging on the command line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from structron.cli.files.sentences import with_rank
from structron.cli.task_cli import CommonCLI
from structron.cli.terminal.counting import counted, counted_names
from structron.io import Format, Report, Sentence, read, write
from structron.io.values.labels import is_bio
from structron.labelling.presets import PRESETS
from structron.tasks.tagging import reading as own
from structron.tasks.tagging.estimator import Tagger

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream
    from structron.cli.task_cli import Plain, Reading
    from structron.cli.terminal.request import Show
    from structron.labelling.task import TaggingTask
    from structron.metrics import Judgement
    from structron.model import Model


class TaggingCLI(CommonCLI):
    """The commands of tagging."""

    items, parts = "sentences", "tokens"
    formats: tuple[str, ...] = ("conllu", "columns", "slash")
    presets = PRESETS
    estimator = Tagger

    def labelled(
        self, place: str, reading: Reading, report: Report, settings: Mapping[str, Any]
    ) -> list[Sentence]:
        """Return the sentences of a file that have a label for every word."""
        from structron.io.files.training_files import with_labels

        sentences = read(place, columns=reading.columns, **reading.options(report))
        if settings.get("partial"):
            return list(sentences)
        return list(with_labels(sentences, settings["target"], reading.skip_bad, report))

    def size(self, estimator: Tagger) -> str:
        """Return the number of labels."""
        hidden = estimator.model_.task.hidden
        return counted(len(estimator.labels_), "labels") + (f" of {hidden} sub-labels" if hidden > 1 else "")

    def read(self, estimator: Tagger, stream: Stream, reading: Reading, report: Report) -> Iterator[Sentence]:
        """Yield the sentences of a stream with columns named as in the model's training data."""
        told = False
        for sentence in own.read_for(estimator, stream, reading, report):
            if not told and (name := own.attribute_of(estimator, sentence)) is not None:
                told = True
                click.echo(f"{sentence.file}: spans stand in MISC as {name}=, not in UPOS", err=True)
            yield sentence

    def predicted(
        self, estimator: Tagger, items: Sequence[Sentence], kbest: int | None
    ) -> Iterator[Sentence]:
        """Yield the sentences with their tags; with `kbest`, each as often as there are readings of it."""
        if kbest is None:
            for sentence, tags in zip(items, estimator.predict(items)):
                yield own.labelled(estimator, sentence, tags) if len(sentence) else sentence
            return
        for sentence, found in zip(items, estimator.predict_kbest(items, kbest)):
            if not len(sentence):
                yield sentence
                continue
            for rank, (tags, score) in enumerate(found, 1):
                yield with_rank(own.labelled(estimator, sentence, tags), rank, score)

    def write(self, items: Iterable[Sentence], file: Any) -> None:
        """Write sentences as they were read."""
        write(items, file)

    def measure(self, estimator: Tagger, items: list[Sentence], confused: int) -> Plain:
        """Return accuracy, and F1 where labels mark spans."""
        from structron.tasks.tagging.measures import measure

        return measure(estimator, items, confused)

    def owns(self, format: str, columns: Collection[str]) -> bool:
        """Return whether tags stand after slashes, or in a column where there are no heads."""
        return format == "slash" or (format == "columns" and "head" not in columns)

    def compare(
        self, guess: list[Sentence], gold: list[Sentence], settings: Mapping[str, Any], confused: int
    ) -> Plain:
        """Compare tags that were predicted before with gold."""
        from structron.tasks.tagging.measures import figures_of

        said, right = _columns(guess, gold, settings["target"])
        return figures_of(right, said, _are_spans(right), confused)

    def judged(self, estimator: Tagger, items: list[Sentence]) -> list[Judgement]:
        """Return gold beside what the model predicts, word by word."""
        from structron.tasks.tagging.measures import gold_of, judged

        gold = gold_of(estimator, items)
        return judged(items, gold, estimator.predict(items), is_bio(estimator.labels_))

    def judged_before(
        self, guess: list[Sentence], gold: list[Sentence], settings: Mapping[str, Any]
    ) -> list[Judgement]:
        """Return gold beside tags that were predicted before."""
        from structron.tasks.tagging.measures import judged

        said, right = _columns(guess, gold, settings["target"])
        return judged(gold, right, said, _are_spans(right))

    def measured(self, figures: Plain) -> list[str]:
        """Return the figures as lines of text."""
        from structron.tasks.tagging.measures import measured

        return measured(figures)

    def show(self, estimator: Tagger, request: Show) -> Iterable[str]:
        """Return the beam, step by step."""
        from structron.tasks.tagging.showing import show

        return show(estimator, request)

    def about(self, model: Model[TaggingTask]) -> Plain:
        """Return labels, templates and rules."""
        from structron.cli.commands.info import about_clusters

        lists = model.task.gazetteers
        return {
            "labels": list(model.task.labels),
            "templates": list(model.task.templates),
            "ready_features": model.task.ready,
            "scheme": model.task.scheme,
            "hidden": model.task.hidden,
            "dictionary_words": len(model.task.dictionary.keys),
            "clusters": about_clusters(model.task.clusters),
            "gazetteers": dict(zip(lists.names, map(len, lists.lists))),
            "target": model.about.get("target"),
        }

    def describe(self, about: Plain) -> dict[str, str]:
        """Return the same as text, by name."""
        from structron.cli.commands.info import named_clusters, named_templates

        kind = "second" if any("t[-2]" in t for t in about["templates"]) else "first"
        order = kind if any("t[-" in t for t in about["templates"]) else "zeroth"
        features = (
            "ready features" if about["ready_features"] else counted(len(about["templates"]), "templates")
        )
        pairs = {
            "task": f"tagging, {order} order, {features}",
            "labels": counted_names(about["labels"]),
            "templates": named_templates(about["templates"], PRESETS),
        }
        columns = about["format"]["columns"] if about.get("format") else None
        if columns and about["format"]["name"] == "columns":
            target = columns[-1] if about["target"] is None else about["target"]
            pairs["columns"] = f"{target} from {' '.join(name for name in columns if name != target)}"
        elif columns:
            pairs["columns"] = f"{about['target'] or Format(about['format']['name']).target} from form"
        if about["clusters"]:
            pairs["clusters"] = named_clusters(about["clusters"])
        if about["gazetteers"]:
            named = (f"{name} ({counted(n, 'names')})" for name, n in about["gazetteers"].items())
            pairs["gazetteers"] = ", ".join(named)
        if about["hidden"] > 1:
            pairs["hidden"] = f"{about['hidden']} sub-labels of each label"
        if about["scheme"]:
            pairs["scheme"] = f"{about['scheme']}: illegal label sequences never come out"
        if about["dictionary_words"]:
            pairs["dictionary"] = f"{about['dictionary_words']:,} words keep to their tags"
        return pairs


def _columns(
    guess: list[Sentence], gold: list[Sentence], target: str | None
) -> tuple[list[list[str]], list[list[str]]]:
    """Return the predicted labels and the right ones of the same sentences."""
    from structron.cli.files.line_up import check_lined_up

    check_lined_up(guess, gold)
    said, right = (
        [one.column(one.format.target or 0 if target is None else target) for one in each]
        for each in (guess, gold)
    )
    return said, right


def _are_spans(labels: Sequence[Sequence[str]]) -> bool:
    return is_bio(label for each in labels for label in each)


CLI = TaggingCLI()
