"""Classification: one decision, or one for each label."""

from structron.tasks.classification.frequencies import Frequencies
from structron.tasks.classification.space import ClassificationSpace, LabelOracle
from structron.tasks.classification.task import Bag, ClassificationTask

__all__ = ["TASK", "Bag", "ClassificationSpace", "ClassificationTask", "Frequencies", "LabelOracle"]

TASK = ClassificationTask
