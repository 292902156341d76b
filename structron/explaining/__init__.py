"""Why a model decided as it did: the features of its decisions by name, with their weights."""

from structron.explaining.explanation import Decision, Explanation, Weighed
from structron.explaining.model import explain
from structron.explaining.strongest import Strong, strongest

__all__ = ["Decision", "Explanation", "Strong", "Weighed", "explain", "strongest"]
