"""Sentences and words in raw text."""

from typing import TYPE_CHECKING

from structron.first_use import on_first_use
from structron.tasks.segmentation.task import SegmentationTask, Spans

if TYPE_CHECKING:
    from structron.tasks.segmentation.boundaries import MULTIWORD, SENTENCE, Token
    from structron.tasks.segmentation.known_tokens import KnownTokens
    from structron.tasks.segmentation.multiword import MultiwordRules
    from structron.tasks.segmentation.word_task import NO_TAG, TaggedSpans, WordTask
else:
    on_first_use(
        __name__,
        {
            "boundaries": ("MULTIWORD", "SENTENCE", "Token"),
            "known_tokens": ("KnownTokens",),
            "multiword": ("MultiwordRules",),
            "word_task": ("NO_TAG", "TaggedSpans", "WordTask"),
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
