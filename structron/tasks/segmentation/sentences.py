"""Sentences of a text, from the places of its tokens."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, compress

from structron import _core
from structron.io.formats.raw_text import begins_paragraph
from structron.segments.segmented_text import SegmentedSentence, with_blanks
from structron.tasks.segmentation.frozen_segmenter import Spans
from structron.tasks.segmentation.task import SegmentationTask
from structron.tasks.segmentation.words.task import TaggedSpans, WordTask

AnyTask = SegmentationTask | WordTask


def sentences_of(
    task: AnyTask, text: str, offsets: Sequence[int], found: Sequence[Spans | TaggedSpans]
) -> list[SegmentedSentence]:
    """Build the sentences of a text whose paragraphs begin at these offsets."""
    offsets = [offset for offset, spans in zip(offsets, found) if len(spans[0])]
    found = [spans for spans in found if len(spans[0])]
    if not found:
        return []
    counts = [len(spans[0]) for spans in found]
    begun, ended, firsts, marked = _core.joined(found, offsets)
    forms = _core.cut_out(text, begun, ended, 0, len(begun))
    plain = [*map(with_blanks, forms)] if task.spaces else forms
    several: dict[int, dict[int, tuple[str, ...]]] = {}  # by the first token of a sentence
    tags = None
    if isinstance(task, SegmentationTask):
        rules = task.multiword
        if rules.certain:
            marked += compress(range(len(plain)), map(rules.certain.__contains__, plain))
        for i in marked:
            words = rules.split(plain[i])
            if len(words) > 1:
                several.setdefault(firsts[bisect_right(firsts, i) - 1], {})[i] = words
    elif task.labels:
        tagged = [spans.tags for spans in found if isinstance(spans, TaggedSpans)]
        tags = (task.column, [task.tags[number] for numbers in tagged for number in numbers])
    begun_at = zip(accumulate(counts, initial=0), offsets)
    paragraphs = {first for first, offset in begun_at if begins_paragraph(text, offset)}
    none: dict[int, tuple[str, ...]] = {}
    return [
        SegmentedSentence(
            text,
            begun,
            ended,
            forms,
            several.get(first, none),
            first,
            last,
            tags=tags,
            paragraph=first in paragraphs,
            plain=plain,
        )
        for first, last in zip(firsts, [*firsts[1:], len(begun)])
    ]
