"""Sentences and words in raw text."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.tasks.segmentation.task import SegmentationTask, Spans

if TYPE_CHECKING:
    from structron.segments.boundaries import MULTIWORD, SENTENCE, Token
    from structron.tasks.segmentation.units.known_tokens import KnownTokens
    from structron.tasks.segmentation.units.multiword import MultiwordRules
    from structron.tasks.segmentation.words.task import NO_TAG, TaggedSpans, WordTask
else:
    on_first_use(
        __name__,
        {
            "structron.segments.boundaries": ("MULTIWORD", "SENTENCE", "Token"),
            "units.known_tokens": ("KnownTokens",),
            "units.multiword": ("MultiwordRules",),
            "words.task": ("NO_TAG", "TaggedSpans", "WordTask"),
        },
    )

__all__ = [
    "MULTIWORD",
    "NO_TAG",
    "SENTENCE",
    "TASK",
    "KnownTokens",
    "MultiwordRules",
    "SegmentationTask",
    "Spans",
    "TaggedSpans",
    "Token",
    "WordTask",
]

TASK = SegmentationTask
