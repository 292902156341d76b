"""fit, predict, score: one small file per task."""

from pathlib import Path

from structron.errors import ModelError
from structron.estimators.estimator import AnyEstimator
from structron.estimators.parsing.parser import Parser
from structron.estimators.tagging.tagger import Tagger
from structron.estimators.transduction.transducer import Transducer
from structron.model import Model

__all__ = ["Parser", "Tagger", "Transducer", "load"]

_ESTIMATORS: dict[str, type[AnyEstimator]] = {each.kind: each for each in (Parser, Tagger, Transducer)}


def load(path: str | Path) -> AnyEstimator:
    """Read a model of any task: a Tagger, a Parser or a Transducer, whichever was saved."""
    model = Model.load(path)
    if model.task.kind not in _ESTIMATORS:
        raise ModelError(f"{path}: a model for {model.task.kind}, which has no estimator; use Model.load")
    return _ESTIMATORS[model.task.kind].of_model(model, str(path))
