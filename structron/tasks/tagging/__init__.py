"""Sequence labelling."""

from typing import TYPE_CHECKING

from structron.first_use import on_first_use
from structron.tasks.tagging.task import TaggingTask

if TYPE_CHECKING:
    from structron.tasks.tagging.dictionary import Dictionary
    from structron.tasks.tagging.space import HiddenOracle, TaggingSpace, TagOracle, TagState
else:
    on_first_use(
        __name__,
        {
            "dictionary": ("Dictionary",),
            "space": ("HiddenOracle", "TaggingSpace", "TagOracle", "TagState"),
        },
    )

__all__ = ["TASK", "Dictionary", "HiddenOracle", "TagOracle", "TagState", "TaggingSpace", "TaggingTask"]

TASK = TaggingTask
