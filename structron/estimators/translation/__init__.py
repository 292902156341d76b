"""The translator."""

from structron.estimators.translation.translator import Translator

__all__ = ["ESTIMATOR", "Translator"]

ESTIMATOR = Translator
