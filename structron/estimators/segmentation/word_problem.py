"""What data and recipe ask for where words are built: tags, known words; and how output is scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from structron import _core
from structron.errors import DataError
from structron.estimators.segmentation.problem import seen_key, sentence_spans
from structron.estimators.segmentation.treebank import Passage
from structron.metrics.segmentation import SegmentationScore, span_score
from structron.tasks.segmentation import NO_TAG, SENTENCE, KnownTokens, WordTask
from structron.tasks.segmentation.units import Unit
from structron.training.segmentation import SegmentationRecipe


def make_word_task(
    recipe: SegmentationRecipe, given: Sequence[Passage], column: str, announced: Sequence[str] = ()
) -> WordTask:
    """The task of passages with their tokens; `announced` are tags that will come later."""
    if not given:
        raise DataError("there is nothing to learn from; give at least one sentence")
    tags: tuple[str, ...] = (NO_TAG,)
    if recipe.system == "joint":
        tags = tuple(sorted({tag for one in given for tag in one.tags} | set(announced)))
    known = KnownTokens.empty()
    if recipe.dictionary:
        known = KnownTokens.observed(_words(given))
    forms = {one.text[begin:end] for one in given for begin, end, _ in one.tokens}
    return WordTask(
        tags,
        recipe.word_templates,
        any(flags & SENTENCE for one in given for _, _, flags in one.tokens[1:]),
        known,
        recipe.bits,
        np.array(sorted(map(seen_key, forms)), np.uint64),
        max(recipe.dictionary, 1),
        column,
    )


def _words(given: Sequence[Passage]) -> Iterator[tuple[str, list[Unit]]]:
    """Each token's text and characters, as the engine cuts them."""
    cutter = _core.UnitCutter((True, True, True), *KnownTokens.empty())
    cut: dict[str, list[Unit]] = {}
    for one in given:
        for begin, end, _ in one.tokens:
            form = one.text[begin:end]
            if form not in cut:
                cut[form] = [Unit(first, last, word[0] == " ") for first, last, (word,) in cutter.units(form)]
            yield form, cut[form]


class WordF1:
    """F1 of words; with tags these must be right, too. Where sentences are found, the mean with theirs."""

    def __init__(self, task: WordTask) -> None:
        self.task = task

    def __call__(self, gold: Sequence[Any], guess: Sequence[Any]) -> float:
        """Tokens of gold, and the model's arrays, text by text."""
        words = sentences = SegmentationScore()
        tags = self.task.tags
        for ours, found in zip(gold, guess):
            begins, ends, flags, numbers = (each.tolist() for each in found)
            theirs = list(zip(begins, ends, flags))
            if self.task.labels:
                known = {tag: i for i, tag in enumerate(tags)}
                words += span_score(
                    [(t[0], t[1], known.get(t[3], -1)) for t in ours], zip(begins, ends, numbers)
                )
            else:
                words += span_score([t[:2] for t in ours], [t[:2] for t in theirs])
            if self.task.sentences:
                sentences += span_score(sentence_spans(ours), sentence_spans(theirs))
        return (words.f1 + sentences.f1) / 2 if self.task.sentences else words.f1
