"""The classifier."""

from structron.estimators.classification.classifier import Classifier

__all__ = ["ESTIMATOR", "Classifier"]

ESTIMATOR = Classifier
