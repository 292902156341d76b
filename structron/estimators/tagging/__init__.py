"""The sequence labeller."""

from structron.estimators.tagging.tagger import Tagger

__all__ = ["ESTIMATOR", "Tagger"]

ESTIMATOR = Tagger
