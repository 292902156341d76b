"""The transition parser."""

from structron.estimators.parsing.parser import Parser

__all__ = ["ESTIMATOR", "Parser"]

ESTIMATOR = Parser
