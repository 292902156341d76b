"""The pipeline."""

from structron.estimators.pipeline.document import AnalysedSentence, Document, Token, Word
from structron.estimators.pipeline.pipeline import Pipeline

__all__ = ["ESTIMATOR", "AnalysedSentence", "Document", "Pipeline", "Token", "Word"]

ESTIMATOR = Pipeline
