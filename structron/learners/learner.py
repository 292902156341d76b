"""The type of all learners."""

from structron.learners.gradient import CRF, SSVM
from structron.learners.mira import Mira
from structron.learners.own import OwnLearner
from structron.learners.perceptron import Perceptron
from structron.learners.swvp import SWVP

Learner = Perceptron | Mira | SWVP | SSVM | CRF | OwnLearner
