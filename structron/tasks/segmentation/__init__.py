"""Sentences and words in raw text."""

from structron.tasks.segmentation.boundaries import MULTIWORD, SENTENCE, Token
from structron.tasks.segmentation.known_tokens import KnownTokens
from structron.tasks.segmentation.multiword import MultiwordRules
from structron.tasks.segmentation.task import SegmentationTask, Spans
from structron.tasks.segmentation.word_task import NO_TAG, TaggedSpans, WordTask

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
