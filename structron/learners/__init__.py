"""Learners: the size and direction of an update."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.learners.gradient import CRF as CRF, SSVM as SSVM
    from structron.learners.learner import Learner as Learner
    from structron.learners.mira import Mira as Mira
    from structron.learners.names import check_learner as check_learner, parse_learner as parse_learner
    from structron.learners.own import OwnLearner as OwnLearner, own_learner as own_learner
    from structron.learners.perceptron import Perceptron as Perceptron
    from structron.learners.swvp import SWVP as SWVP

on_first_use(__name__)
