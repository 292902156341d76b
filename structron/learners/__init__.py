"""Learners: the size and direction of an update."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.learners.learner import Learner
    from structron.learners.mira import Mira
    from structron.learners.names import check_learner, parse_learner
    from structron.learners.own import OwnLearner, own_learner
    from structron.learners.perceptron import Perceptron
    from structron.learners.swvp import SWVP
else:
    on_first_use(
        __name__,
        {
            "mira": ("Mira",),
            "names": ("check_learner", "parse_learner"),
            "own": ("OwnLearner", "own_learner"),
            "perceptron": ("Perceptron",),
            "swvp": ("SWVP",),
            "learner": ("Learner",),
        },
    )

__all__ = [
    "SWVP",
    "Learner",
    "Mira",
    "OwnLearner",
    "Perceptron",
    "check_learner",
    "own_learner",
    "parse_learner",
]
