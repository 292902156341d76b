"""Sentences and words in raw text."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.task import TaskSpec

if TYPE_CHECKING:
    from structron.segments.boundaries import MULTIWORD as MULTIWORD, SENTENCE as SENTENCE, Token as Token
    from structron.segments.segmented_text import (
        SegmentedSentence as SegmentedSentence,
        SegmentedToken as SegmentedToken,
        conllu as conllu,
    )
    from structron.tasks.segmentation.estimator import Segmenter as Segmenter
    from structron.tasks.segmentation.frozen_segmenter import Spans as Spans
    from structron.tasks.segmentation.task import SegmentationTask as SegmentationTask
    from structron.tasks.segmentation.units.known_tokens import KnownTokens as KnownTokens
    from structron.tasks.segmentation.units.multiword import MultiwordRules as MultiwordRules
    from structron.tasks.segmentation.words.task import (
        NO_TAG as NO_TAG,
        TaggedSpans as TaggedSpans,
        WordTask as WordTask,
    )

on_first_use(__name__)


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
