"""Sequence labelling."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.labelling.task import TaggingTask

if TYPE_CHECKING:
    from structron.labelling.dictionary import Dictionary
    from structron.labelling.space import HiddenOracle, TaggingSpace, TagOracle, TagState
else:
    on_first_use(
        __name__,
        {
            "structron.labelling.dictionary": ("Dictionary",),
            "structron.labelling.space": ("HiddenOracle", "TaggingSpace", "TagOracle", "TagState"),
        },
    )

__all__ = ["TASK", "Dictionary", "HiddenOracle", "TagOracle", "TagState", "TaggingSpace", "TaggingTask"]

TASK = TaggingTask
