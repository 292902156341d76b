"""How far the weights move."""

from structron.learners.mira import Mira
from structron.learners.names import Learner, check_learner, parse_learner
from structron.learners.perceptron import Perceptron
from structron.learners.swvp import SWVP

__all__ = ["SWVP", "Learner", "Mira", "Perceptron", "check_learner", "parse_learner"]
