"""The definition, in plain Python: search, update methods and training, for any search space.

Slow and obvious: the engine must equal what is written here, trace by trace. A user's own task runs here
as it is.
"""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.reference.checks.checks import check_oracle, check_space
    from structron.reference.checks.forest_checks import check_forest
    from structron.reference.forest.forest import ForestTrace, forest
    from structron.reference.forest.hypergraph import Edge, ForestOracle, ForestSpace, Tree, Use
    from structron.reference.learners.array_learner import ArrayLearner, Differences
    from structron.reference.learners.learners import Learner, Perceptron
    from structron.reference.learners.mira import Mira
    from structron.reference.learners.mixed_assignments import mixed_assignment
    from structron.reference.learners.substructures import SUBSTRUCTURES, windows
    from structron.reference.learners.swvp import GAMMAS, SWVP
    from structron.reference.learners.violations import (
        METHODS,
        Violation,
        compare,
        early,
        excess,
        fall_off,
        hybrid,
        is_violation,
        latest,
        max_violation,
        parallel,
        skip,
        standard,
        violation,
    )
    from structron.reference.learners.voted_perceptron import Voted, train_voted
    from structron.reference.learners.weights import Weights
    from structron.reference.sequence.bins import Bins, Derivation, Move
    from structron.reference.sequence.dp_beam import DPItem, DPTrace, dp_beam
    from structron.reference.sequence.parameter_mixing import Round, train_mixed
    from structron.reference.sequence.search import beam, decode, exact, greedy, predict
    from structron.reference.sequence.spaces import Features, Oracle, SearchSpace, SparseVector, StackSpace
    from structron.reference.sequence.trace import Item, Path, Trace
    from structron.reference.sequence.training import Epoch, Example, laso, train
    from structron.reference.sequence.violation_finder import choose, find
else:
    on_first_use(
        __name__,
        {
            "sequence.bins": ("Bins", "Derivation", "Move"),
            "checks.checks": ("check_oracle", "check_space"),
            "sequence.dp_beam": ("DPItem", "DPTrace", "dp_beam"),
            "sequence.violation_finder": ("choose", "find"),
            "forest.forest": ("ForestTrace", "forest"),
            "checks.forest_checks": ("check_forest",),
            "forest.hypergraph": ("Edge", "ForestOracle", "ForestSpace", "Tree", "Use"),
            "learners.array_learner": ("ArrayLearner", "Differences"),
            "learners.learners": ("Learner", "Perceptron"),
            "learners.mira": ("Mira",),
            "learners.mixed_assignments": ("mixed_assignment",),
            "sequence.parameter_mixing": ("Round", "train_mixed"),
            "sequence.search": ("beam", "decode", "exact", "greedy", "predict"),
            "sequence.spaces": ("Features", "Oracle", "SearchSpace", "SparseVector", "StackSpace"),
            "learners.substructures": ("SUBSTRUCTURES", "windows"),
            "learners.swvp": ("GAMMAS", "SWVP"),
            "sequence.trace": ("Item", "Path", "Trace"),
            "sequence.training": ("Epoch", "Example", "laso", "train"),
            "learners.violations": (
                "METHODS",
                "Violation",
                "compare",
                "early",
                "excess",
                "fall_off",
                "hybrid",
                "is_violation",
                "latest",
                "max_violation",
                "parallel",
                "skip",
                "standard",
                "violation",
            ),
            "learners.voted_perceptron": ("Voted", "train_voted"),
            "learners.weights": ("Weights",),
        },
    )

__all__ = [
    "GAMMAS", "METHODS", "SUBSTRUCTURES", "SWVP", "ArrayLearner", "Bins", "DPItem", "DPTrace",
    "Derivation", "Differences", "Edge", "Epoch", "Example", "Features", "ForestOracle", "ForestSpace",
    "ForestTrace", "Item", "Learner", "Mira", "Move", "Oracle", "Path", "Perceptron", "Round",
    "SearchSpace", "SparseVector", "StackSpace", "Trace", "Tree", "Use", "Violation", "Voted", "Weights",
    "beam", "check_forest", "check_oracle", "check_space", "choose", "compare", "decode", "dp_beam",
    "early", "exact", "excess", "fall_off", "find", "forest", "greedy", "hybrid", "is_violation", "laso",
    "latest", "max_violation", "mixed_assignment", "parallel", "predict", "skip", "standard", "train",
    "train_mixed", "train_voted", "violation", "windows",
]  # fmt: skip
