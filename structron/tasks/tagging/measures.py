"""Accuracy and F1 of a tagger on labelled sentences."""

from __future__ import annotations

from collections.abc import Sequence

from structron.cli.draw.confusions import confused_lines
from structron.cli.draw.spans import span_figures, span_table
from structron.cli.task_cli import Plain
from structron.errors import DataError
from structron.fit.data.signature import checksum
from structron.fit.data.unknown_labels import warn_of_unknown
from structron.io import Sentence
from structron.io.values.labels import is_bio, is_span_label
from structron.metrics import Judgement, accuracy, confusions, judge_tags, sentence_accuracy, span_f1
from structron.tasks.tagging.estimator import Tagger
from structron.tasks.tagging.reading import attribute_of, gold_labels

Labels = Sequence[Sequence[str]]


def measure(tagger: Tagger, sentences: list[Sentence], confused: int) -> Plain:
    """Return all figures, as plain data."""
    gold = gold_of(tagger, sentences)
    known = frozenset(tagger.model_.task.labels)
    warn_of_unknown(gold, known)
    figures = figures_of(gold, tagger.predict(sentences), is_bio(known), confused)
    figures["evaluated_on"] = checksum([sentence.words() for sentence in sentences], gold)
    return figures


def judged(sentences: list[Sentence], gold: Labels, guess: Labels, spans: bool) -> list[Judgement]:
    """Return the sentences, decision by decision; `spans` is whether the labels that were learned mark
    spans."""
    by_span = spans and all(is_span_label(label) for labels in gold for label in labels)
    return [
        judge_tags(sentence.place, sentence.words(), right, said, by_span=by_span)
        for sentence, right, said in zip(sentences, gold, guess)
    ]


def gold_of(tagger: Tagger, sentences: list[Sentence]) -> list[list[str]]:
    """Return the labels of sentences that must have them; in MISC, a sentence without spans has none."""
    found = [gold_labels(tagger, sentence) for sentence in sentences]
    in_misc = any(attribute_of(tagger, sentence) for sentence in sentences)
    for sentence, labels in zip(sentences, found):
        if labels is None and not (in_misc and any(found)):
            raise DataError(
                f"{sentence.place}: there are no labels to score against; give labelled sentences"
            )
    return [["O"] * len(sentence) if own is None else own for sentence, own in zip(sentences, found)]


def figures_of(gold: Labels, guess: Labels, spans: bool, confused: int) -> Plain:
    """Return the figures of two sets of labels; `spans` is whether the labels that were learned mark
    spans."""
    figures: Plain = {
        "sentences": len(gold),
        "tokens": sum(map(len, gold)),
        "accuracy": accuracy(gold, guess),
        "sentence_accuracy": sentence_accuracy(gold, guess),
    }
    if spans and all(is_span_label(label) for labels in gold for label in labels):
        figures |= span_figures(span_f1(gold, guess))
    if confused:
        figures["confusions"] = [found._asdict() for found in confusions(gold, guess)[:confused]]
    return figures


def measured(figures: Plain) -> list[str]:
    """Return the figures for people, line by line."""
    words, sentences = figures["tokens"], figures["sentences"]
    lines = [
        f"accuracy           {100 * figures['accuracy']:7.2f} %   of {words:,} words",
        f"whole sentences    {100 * figures['sentence_accuracy']:7.2f} %   of {sentences:,} sentences",
    ]
    if "f1" in figures:
        lines += [f"span F1            {100 * figures['f1']:7.2f}", "", *span_table(figures)]
    return [*lines, *confused_lines(figures.get("confusions", []))]
