"""The lemmatizer."""

from structron.estimators.lemmatisation.lemmatizer import Lemmatizer

__all__ = ["ESTIMATOR", "Lemmatizer"]

ESTIMATOR = Lemmatizer
