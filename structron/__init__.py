"""structron: structured prediction with online large-margin learning."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from structron.errors import DataError, ModelError, SettingError, StructronError, TaskError
from structron.search import Beam, DPBeam, Exact, Greedy

if TYPE_CHECKING:
    from structron.estimators import Parser, Tagger, Transducer

__all__ = [
    "Beam",
    "DPBeam",
    "DataError",
    "Exact",
    "Greedy",
    "ModelError",
    "Parser",
    "SettingError",
    "StructronError",
    "Tagger",
    "TaskError",
    "Transducer",
]


def __getattr__(name: str) -> Any:
    # The estimators load the engine and numpy; `structron --help` should not wait for them.
    if name in ("Parser", "Tagger", "Transducer"):
        return getattr(import_module("structron.estimators"), name)
    raise AttributeError(f"module 'structron' has no attribute {name!r}")
