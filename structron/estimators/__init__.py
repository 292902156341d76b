"""fit, predict, score: one small file per task."""

from structron.estimators.parser import Parser
from structron.estimators.tagger import Tagger
from structron.estimators.transducer import Transducer

__all__ = ["Parser", "Tagger", "Transducer"]
