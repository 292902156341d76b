"""Classification: one decision, or one for each label."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.task import TaskSpec

if TYPE_CHECKING:
    from structron.tasks.classification.estimator import Classifier as Classifier
    from structron.tasks.classification.frequencies import Frequencies as Frequencies
    from structron.tasks.classification.space import (
        ClassificationSpace as ClassificationSpace,
        LabelOracle as LabelOracle,
    )
    from structron.tasks.classification.task import Bag as Bag, ClassificationTask as ClassificationTask

on_first_use(__name__)


SPEC = TaskSpec(
    kind="classification",
    help="Give a text, or any bag of features, one label of several, or any number of them.",
    task="structron.tasks.classification.task:ClassificationTask",
    estimator="structron.tasks.classification.estimator:Classifier",
    settings="structron.tasks.classification.settings:ClassificationRecipe",
    cli="structron.tasks.classification.cli:CLI",
    json_form="structron.tasks.classification.json_form:FORM",
    account="structron.tasks.classification.explaining:account",
    columns="structron.tasks.classification.labels.column_form:COLUMNS",
    play="structron.tasks.classification.playing:PLAY",
    rank=6,
)
