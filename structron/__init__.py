"""structron: structured prediction with online large-margin learning."""

from typing import TYPE_CHECKING, Any

from structron.first_use import on_first_use

if TYPE_CHECKING:
    from structron.errors import (
        DataError,
        EngineError,
        ModelError,
        SettingError,
        StructronError,
        StructronWarning,
        TaskError,
    )
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
    from structron.search import Beam, DPBeam, Exact, Forest, Greedy

    __version__: str
else:

    def _version(name: str) -> Any:
        if name == "__version__":
            from importlib.metadata import version

            return version("structron")
        return None

    on_first_use(
        __name__,
        {
            "errors": (
                "DataError",
                "EngineError",
                "ModelError",
                "SettingError",
                "StructronError",
                "StructronWarning",
                "TaskError",
            ),
            "estimators": ("load",),
            "estimators.classification": ("Classifier",),
            "estimators.lemmatisation": ("Lemmatizer",),
            "estimators.parsing": ("Parser",),
            "estimators.pipeline": ("Pipeline",),
            "estimators.segmentation": ("Segmenter",),
            "estimators.semantics": ("SemanticParser",),
            "estimators.tagging": ("Tagger",),
            "estimators.transduction": ("Transducer",),
            "estimators.translation": ("Translator",),
            "search": ("Beam", "DPBeam", "Exact", "Forest", "Greedy"),
        },
        otherwise=_version,
    )

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


def __dir__() -> list[str]:
    return sorted(__all__)
