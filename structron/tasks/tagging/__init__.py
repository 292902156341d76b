"""Sequence labelling."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.task import TaskSpec

if TYPE_CHECKING:
    from structron.labelling.dictionary import Dictionary
    from structron.labelling.space import HiddenOracle, TaggingSpace, TagOracle, TagState
    from structron.labelling.task import TaggingTask
    from structron.tasks.tagging.estimator import Tagger
else:
    on_first_use(
        __name__,
        {
            "estimator": ("Tagger",),
            "structron.labelling.task": ("TaggingTask",),
            "structron.labelling.dictionary": ("Dictionary",),
            "structron.labelling.space": ("HiddenOracle", "TagOracle", "TagState", "TaggingSpace"),
        },
    )

__all__ = [
    "SPEC",
    "Dictionary",
    "HiddenOracle",
    "TagOracle",
    "TagState",
    "Tagger",
    "TaggingSpace",
    "TaggingTask",
]

SPEC = TaskSpec(
    kind="tagging",
    help="Label every word of a sentence: parts of speech, chunks, names.",
    task="structron.labelling.task:TaggingTask",
    estimator="structron.tasks.tagging.estimator:Tagger",
    settings="structron.tasks.tagging.settings:TaggingRecipe",
    cli="structron.tasks.tagging.cli:CLI",
    json_form="structron.tasks.tagging.json_form:FORM",
    account="structron.labelling.explaining:account",
    play="structron.tasks.tagging.playing:PLAY",
    rank=0,
)
