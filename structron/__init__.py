"""structron: structured prediction with online large-margin learning."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.renames import install

install()

if TYPE_CHECKING:
    from structron.errors import (
        DataError as DataError,
        EngineError as EngineError,
        ModelError as ModelError,
        SettingError as SettingError,
        StructronError as StructronError,
        StructronWarning as StructronWarning,
        TaskError as TaskError,
    )
    from structron.loading import load as load
    from structron.search import (
        Beam as Beam,
        DPBeam as DPBeam,
        Exact as Exact,
        Forest as Forest,
        Greedy as Greedy,
    )
    from structron.tasks.classification import Classifier as Classifier
    from structron.tasks.lemmatisation import Lemmatizer as Lemmatizer
    from structron.tasks.parsing import Parser as Parser
    from structron.tasks.pipeline import Pipeline as Pipeline
    from structron.tasks.segmentation import Segmenter as Segmenter
    from structron.tasks.semantics import SemanticParser as SemanticParser
    from structron.tasks.tagging import Tagger as Tagger
    from structron.tasks.transduction import Transducer as Transducer
    from structron.tasks.translation import Translator as Translator

    __version__: str


def _version() -> str:
    from importlib.metadata import version

    return version("structron")


on_first_use(__name__, made={"__version__": _version})


def __dir__() -> list[str]:
    return sorted(globals()["__all__"])
