"""The semantic parser."""

from structron.estimators.semantics.semantic_parser import SemanticParser

__all__ = ["ESTIMATOR", "SemanticParser"]

ESTIMATOR = SemanticParser
