"""How far the weights move."""

from structron.learners.perceptron import Perceptron, parse_learner

__all__ = ["Perceptron", "parse_learner"]
