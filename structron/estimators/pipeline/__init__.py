"""The pipeline."""

from typing import TYPE_CHECKING

from structron.estimators.pipeline.pipeline import Pipeline
from structron.first_use import on_first_use

if TYPE_CHECKING:
    from structron.estimators.pipeline.document import AnalysedSentence, Document, Token, Word
else:
    on_first_use(
        __name__,
        {
            "document": ("AnalysedSentence", "Document", "Token", "Word"),
        },
    )

__all__ = ["ESTIMATOR", "AnalysedSentence", "Document", "Pipeline", "Token", "Word"]

ESTIMATOR = Pipeline
