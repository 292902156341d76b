"""fit, predict, score: one small file per task."""

from structron.estimators.tagger import Tagger

__all__ = ["Tagger"]
