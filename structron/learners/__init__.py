"""How far the weights move."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.learners.mira import Mira
    from structron.learners.names import check_learner, parse_learner
    from structron.learners.perceptron import Perceptron
    from structron.learners.swvp import SWVP
    from structron.learners.union import Learner
else:
    on_first_use(
        __name__,
        {
            "mira": ("Mira",),
            "names": ("check_learner", "parse_learner"),
            "perceptron": ("Perceptron",),
            "swvp": ("SWVP",),
            "union": ("Learner",),
        },
    )

__all__ = ["SWVP", "Learner", "Mira", "Perceptron", "check_learner", "parse_learner"]
