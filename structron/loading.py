"""Loading a model of any kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from structron import registry
from structron.model import Model


def load(path: str | Path) -> Any:
    """Read a model of any kind, with the estimator that saved it: of a task, or a whole pipeline."""
    model = Model.load(path)
    return registry.estimator_of(model.task.kind).of_model(model, str(path))
