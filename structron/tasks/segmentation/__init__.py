"""Sentences and words in raw text."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.task import TaskSpec

if TYPE_CHECKING:
    from structron.segments.boundaries import MULTIWORD, SENTENCE, Token
    from structron.segments.segmented_text import SegmentedSentence, SegmentedToken, conllu
    from structron.tasks.segmentation.estimator import Segmenter
    from structron.tasks.segmentation.task import SegmentationTask, Spans
    from structron.tasks.segmentation.units.known_tokens import KnownTokens
    from structron.tasks.segmentation.units.multiword import MultiwordRules
    from structron.tasks.segmentation.words.task import NO_TAG, TaggedSpans, WordTask
else:
    on_first_use(
        __name__,
        {
            "estimator": ("Segmenter",),
            "structron.segments.segmented_text": ("SegmentedSentence", "SegmentedToken", "conllu"),
            "task": ("SegmentationTask", "Spans"),
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
    "SPEC",
    "KnownTokens",
    "MultiwordRules",
    "SegmentationTask",
    "SegmentedSentence",
    "SegmentedToken",
    "Segmenter",
    "Spans",
    "TaggedSpans",
    "Token",
    "WordTask",
    "conllu",
]

SPEC = TaskSpec(
    kind="segmentation",
    help="Find the sentences, tokens and words of raw text.",
    task="structron.tasks.segmentation.task:SegmentationTask",
    estimator="structron.tasks.segmentation.estimator:Segmenter",
    settings="structron.tasks.segmentation.settings:SegmentationRecipe",
    cli="structron.tasks.segmentation.cli:CLI",
    json_form="structron.tasks.segmentation.json_form:FORM",
    account="structron.tasks.segmentation.explaining:account",
    play="structron.tasks.segmentation.playing:PLAY",
    rank=4,
)
