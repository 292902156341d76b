"""From where tokens begin and end in paragraphs to the sentences of a text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, compress

import numpy as np

from structron import _core
from structron.estimators.segmentation.segmented import SegmentedSentence
from structron.tasks.segmentation import MULTIWORD, SENTENCE, SegmentationTask, Spans, TaggedSpans, WordTask

AnyTask = SegmentationTask | WordTask


def sentences_of(
    task: AnyTask, text: str, offsets: Sequence[int], found: Sequence[Spans | TaggedSpans]
) -> list[SegmentedSentence]:
    """The sentences of a text, whose paragraphs begin at these offsets."""
    offsets = [offset for offset, spans in zip(offsets, found) if len(spans[0])]
    found = [spans for spans in found if len(spans[0])]
    if not found:
        return []
    counts = [len(spans[0]) for spans in found]
    begins, ends, flags = (np.concatenate([spans[i] for spans in found]) for i in range(3))
    moves = np.repeat(np.array(offsets, np.uint32), counts)
    begun, ended = (begins + moves).tolist(), (ends + moves).tolist()
    forms = _core.cut_out(text, begun, ended, 0, len(begun))
    firsts = (flags & SENTENCE).nonzero()[0].tolist()
    several: dict[int, dict[int, tuple[str, ...]]] = {}  # by the first token of a sentence
    tags = None
    if isinstance(task, SegmentationTask):
        rules, marked = task.multiword, (flags >= MULTIWORD).nonzero()[0].tolist()
        if rules.certain:
            marked += compress(range(len(forms)), map(rules.certain.__contains__, forms))
        for i in marked:
            words = rules.split(forms[i])
            if len(words) > 1:
                several.setdefault(firsts[bisect_right(firsts, i) - 1], {})[i] = words
    elif task.labels:
        numbers = [spans.tags for spans in found if isinstance(spans, TaggedSpans)]
        tags = (task.column, [task.tags[number] for number in np.concatenate(numbers).tolist()])
    paragraphs = set(accumulate(counts, initial=0))
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
        )
        for first, last in zip(firsts, [*firsts[1:], len(begun)])
    ]
