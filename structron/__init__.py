"""structron: structured prediction with online large-margin learning."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from structron.errors import (
    DataError,
    EngineError,
    ModelError,
    SettingError,
    StructronError,
    StructronWarning,
    TaskError,
)
from structron.search import Beam, DPBeam, Exact, Forest, Greedy

if TYPE_CHECKING:
    from structron.estimators import load
    from structron.estimators.classification import Classifier
    from structron.estimators.lemmatisation import Lemmatizer
    from structron.estimators.parsing import Parser
    from structron.estimators.pipeline import Pipeline
    from structron.estimators.segmentation import Segmenter
    from structron.estimators.semantics import SemanticParser
    from structron.estimators.tagging import Tagger
    from structron.estimators.transduction import Transducer
    from structron.estimators.translation import Translator

    __version__: str

__all__ = [
    "Beam",
    "Classifier",
    "DPBeam",
    "DataError",
    "EngineError",
    "Exact",
    "Forest",
    "Greedy",
    "Lemmatizer",
    "ModelError",
    "Parser",
    "Pipeline",
    "Segmenter",
    "SemanticParser",
    "SettingError",
    "StructronError",
    "StructronWarning",
    "Tagger",
    "TaskError",
    "Transducer",
    "Translator",
    "__version__",
    "load",
]


def __getattr__(name: str) -> Any:
    # The estimators load the engine and numpy; `structron --help` should not wait for them.
    if name in (
        "Classifier",
        "Lemmatizer",
        "Parser",
        "Pipeline",
        "Segmenter",
        "SemanticParser",
        "Tagger",
        "Transducer",
        "Translator",
        "load",
    ):
        return getattr(import_module("structron.estimators"), name)
    if name == "__version__":
        return import_module("importlib.metadata").version("structron")
    raise AttributeError(f"module 'structron' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
