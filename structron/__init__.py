"""structron: structured prediction with online large-margin learning."""

from typing import TYPE_CHECKING, Any

from structron.lazy import on_first_use
from structron.renames import install

install()

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
    from structron.loading import load
    from structron.search import Beam, DPBeam, Exact, Forest, Greedy
    from structron.tasks.classification import Classifier
    from structron.tasks.lemmatisation import Lemmatizer
    from structron.tasks.parsing import Parser
    from structron.tasks.pipeline import Pipeline
    from structron.tasks.segmentation import Segmenter
    from structron.tasks.semantics import SemanticParser
    from structron.tasks.tagging import Tagger
    from structron.tasks.transduction import Transducer
    from structron.tasks.translation import Translator

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
            "loading": ("load",),
            "tasks.classification": ("Classifier",),
            "tasks.lemmatisation": ("Lemmatizer",),
            "tasks.parsing": ("Parser",),
            "tasks.pipeline": ("Pipeline",),
            "tasks.segmentation": ("Segmenter",),
            "tasks.semantics": ("SemanticParser",),
            "tasks.tagging": ("Tagger",),
            "tasks.transduction": ("Transducer",),
            "tasks.translation": ("Translator",),
            "search": ("Beam", "DPBeam", "Exact", "Forest", "Greedy"),
        },
        otherwise=_version,
    )

__all__ = [
    "Beam", "Classifier", "DPBeam", "DataError", "EngineError", "Exact", "Forest", "Greedy", "Lemmatizer",
    "ModelError", "Parser", "Pipeline", "Segmenter", "SemanticParser", "SettingError", "StructronError",
    "StructronWarning", "Tagger", "TaskError", "Transducer", "Translator", "__version__", "load",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted(__all__)
