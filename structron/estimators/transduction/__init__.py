"""The transducer."""

from structron.estimators.transduction.transducer import Transducer

__all__ = ["ESTIMATOR", "Transducer"]

ESTIMATOR = Transducer
