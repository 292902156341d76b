"""The task of data for word building: tags and known words; and the score of outputs."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from structron import _core
from structron.errors import DataError
from structron.metrics.segmentation import SegmentationScore, span_score
from structron.segments.boundaries import SENTENCE
from structron.segments.passages import Passage
from structron.segments.units import Unit, cut_by, plain_cutter
from structron.tasks.segmentation.fitting.stretches import stretches
from structron.tasks.segmentation.fitting.task_from_data import has_spaces, seen_key, sentence_spans
from structron.tasks.segmentation.settings import SegmentationRecipe
from structron.tasks.segmentation.units.known_tokens import KnownTokens
from structron.tasks.segmentation.words.clauses import clauses
from structron.tasks.segmentation.words.task import NO_TAG, WordTask


def cut_into_clauses(given: Sequence[Passage]) -> list[Passage]:
    """Cut passages like new texts, so that a pass over the data makes more updates.

    A token with a clause mark inside stays whole. If sentences are to be found, passages stay whole, too,
    since the beginning of a sentence depends on the words before it.
    """
    if finds_sentences(given):
        return list(given)
    found = []
    for one in given:
        ends = {end for _, end in clauses(one.text)}
        first = 0
        for i, (_, end, _) in enumerate(one.tokens):
            if end in ends or i + 1 == len(one.tokens):
                found.append(_part(one, first, i + 1))
                first = i + 1
    return found


def _part(one: Passage, first: int, last: int) -> Passage:
    begin, end = one.tokens[first][0], one.tokens[last - 1][1]
    tokens = [(b - begin, e - begin, flags) for b, e, flags in one.tokens[first:last]]
    words = {i - first: one.words[i] for i in range(first, last) if i in one.words}
    return Passage(one.text[begin:end], tokens, words, one.place, one.tags[first:last])


def finds_sentences(given: Sequence[Passage]) -> bool:
    """Return True if a sentence begins inside of a passage."""
    return any(flags & SENTENCE for one in given for _, _, flags in one.tokens[1:])


def make_word_task(
    recipe: SegmentationRecipe, given: Sequence[Passage], column: str, announced: Sequence[str] = ()
) -> WordTask:
    """Create the task for passages with their tokens; `announced` are tags that will come later."""
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
        finds_sentences(given),
        known,
        recipe.bits,
        array("Q", sorted(map(seen_key, forms))),
        max(recipe.dictionary, 1),
        column,
        not finds_sentences(given),
        has_spaces(given, _cutter()),
    )


def _cutter() -> _core.UnitCutter:
    """Create a cutter of texts into characters."""
    return plain_cutter((True, True, True))


def _words(given: Sequence[Passage]) -> Iterator[tuple[str, list[Unit]]]:
    """Yield the words of each stretch, with their characters as the engine cuts them."""
    cutter = _cutter()
    cut: dict[str, list[Unit]] = {}
    for part in stretches(len(given)):
        for form in {one.text[begin:end]: None for one in given[part] for begin, end, _ in one.tokens}:
            if form not in cut:
                cut[form] = cut_by(cutter, form)
            yield form, cut[form]


class WordF1:
    """F1 of words and their tags, if any; if sentences are found, the mean with the F1 of sentences."""

    def __init__(self, task: WordTask) -> None:
        self.task = task

    def __call__(self, gold: Sequence[Any], guess: Sequence[Any]) -> float:
        """Score gold tokens against the model's arrays, text by text."""
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
