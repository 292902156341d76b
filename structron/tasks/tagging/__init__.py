"""Sequence labelling."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.task import TaskSpec

if TYPE_CHECKING:
    from structron.labelling.dictionary import Dictionary as Dictionary
    from structron.labelling.space import (
        HiddenOracle as HiddenOracle,
        TaggingSpace as TaggingSpace,
        TagOracle as TagOracle,
        TagState as TagState,
    )
    from structron.labelling.task import TaggingTask as TaggingTask
    from structron.tasks.tagging.estimator import Tagger as Tagger

on_first_use(__name__)


SPEC = TaskSpec(
    kind="tagging",
    help="Label every word of a sentence: parts of speech, chunks, names.",
    task="structron.labelling.task:TaggingTask",
    estimator="structron.tasks.tagging.estimator:Tagger",
    settings="structron.tasks.tagging.settings:TaggingRecipe",
    cli="structron.tasks.tagging.cli:CLI",
    json_form="structron.tasks.tagging.json_form:FORM",
    account="structron.labelling.explaining:account",
    columns="structron.fit.data.columns:LABELS",
    play="structron.tasks.tagging.playing:PLAY",
    rank=0,
)
