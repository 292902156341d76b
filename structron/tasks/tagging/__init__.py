"""Sequence labelling."""

from structron.tasks.tagging.dictionary import Dictionary
from structron.tasks.tagging.space import HiddenOracle, TaggingSpace, TagOracle, TagState
from structron.tasks.tagging.task import TaggingTask

__all__ = ["TASK", "Dictionary", "HiddenOracle", "TagOracle", "TagState", "TaggingSpace", "TaggingTask"]

TASK = TaggingTask
