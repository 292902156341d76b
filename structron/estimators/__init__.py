"""fit, predict, score: a folder for each task, and what they share."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from structron.errors import ModelError
from structron.first_use import on_first_use
from structron.model import Model
from structron.tasks import KINDS, MORE_KINDS


def estimator_of(kind: str) -> type[AnyEstimator]:
    """The estimator of a task."""
    estimator: type[AnyEstimator] = import_module(f"structron.estimators.{kind}").ESTIMATOR
    return estimator


def load(path: str | Path) -> Any:
    """Read a model of any kind, with the estimator that saved it: of a task, or a whole pipeline."""
    model = Model.load(path)
    if model.task.kind not in {**KINDS, **MORE_KINDS}:
        raise ModelError(f"{path}: a model for {model.task.kind}, which has no estimator; use Model.load")
    return estimator_of(model.task.kind).of_model(model, str(path))


def _estimator(name: str) -> type[AnyEstimator] | None:
    """Every estimator by its own name, such as Tagger."""
    estimators = map(estimator_of, (*KINDS, *MORE_KINDS) if name[:1].isupper() else ())
    return next((estimator for estimator in estimators if estimator.__name__ == name), None)


def __dir__() -> list[str]:
    return sorted([*__all__, *(estimator_of(kind).__name__ for kind in (*KINDS, *MORE_KINDS))])


if TYPE_CHECKING:
    from structron.estimators.estimator import AnyEstimator, Estimator
    from structron.estimators.streaming import Stream

    def __getattr__(name: str) -> type[AnyEstimator]: ...

else:
    on_first_use(
        __name__,
        {
            "estimator": ("AnyEstimator", "Estimator"),
            "streaming": ("Stream",),
        },
        otherwise=_estimator,
    )

__all__ = ["AnyEstimator", "Estimator", "Stream", "estimator_of", "load"]
