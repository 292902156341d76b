"""Sentences and words in raw text."""

from structron.tasks.segmentation.boundaries import MULTIWORD, SENTENCE, Token
from structron.tasks.segmentation.known_tokens import KnownTokens
from structron.tasks.segmentation.multiword import MultiwordRules
from structron.tasks.segmentation.task import SegmentationTask, Spans

__all__ = [
    "MULTIWORD",
    "SENTENCE",
    "TASK",
    "KnownTokens",
    "MultiwordRules",
    "SegmentationTask",
    "Spans",
    "Token",
]

TASK = SegmentationTask
