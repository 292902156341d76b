"""The definition, in plain Python: search, update methods and training, for any search space.

Slow and obvious: the engine must equal what is written here, trace by trace. A user's own task runs here
as it is.
"""

from typing import TYPE_CHECKING

from structron.first_use import on_first_use

if TYPE_CHECKING:
    from structron.reference.bins import Bins, Derivation, Move
    from structron.reference.checks import check_oracle, check_space
    from structron.reference.dp_beam import DPItem, DPTrace, dp_beam
    from structron.reference.finding import choose, find
    from structron.reference.forest import ForestTrace, forest
    from structron.reference.forest_checks import check_forest
    from structron.reference.hypergraph import Edge, ForestOracle, ForestSpace, Tree, Use
    from structron.reference.learners import Learner, Perceptron
    from structron.reference.mira import Mira
    from structron.reference.mixed import mixed_assignment
    from structron.reference.mixing import Round, train_mixed
    from structron.reference.search import beam, decode, exact, greedy, predict
    from structron.reference.spaces import Features, Oracle, SearchSpace, SparseVector, StackSpace
    from structron.reference.substructures import SUBSTRUCTURES, windows
    from structron.reference.swvp import GAMMAS, SWVP
    from structron.reference.trace import Item, Path, Trace
    from structron.reference.training import Epoch, Example, laso, train
    from structron.reference.violations import (
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
    from structron.reference.voted import Voted, train_voted
    from structron.reference.weights import Weights
else:
    on_first_use(
        __name__,
        {
            "bins": ("Bins", "Derivation", "Move"),
            "checks": ("check_oracle", "check_space"),
            "dp_beam": ("DPItem", "DPTrace", "dp_beam"),
            "finding": ("choose", "find"),
            "forest": ("ForestTrace", "forest"),
            "forest_checks": ("check_forest",),
            "hypergraph": ("Edge", "ForestOracle", "ForestSpace", "Tree", "Use"),
            "learners": ("Learner", "Perceptron"),
            "mira": ("Mira",),
            "mixed": ("mixed_assignment",),
            "mixing": ("Round", "train_mixed"),
            "search": ("beam", "decode", "exact", "greedy", "predict"),
            "spaces": ("Features", "Oracle", "SearchSpace", "SparseVector", "StackSpace"),
            "substructures": ("SUBSTRUCTURES", "windows"),
            "swvp": ("GAMMAS", "SWVP"),
            "trace": ("Item", "Path", "Trace"),
            "training": ("Epoch", "Example", "laso", "train"),
            "violations": (
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
            "voted": ("Voted", "train_voted"),
            "weights": ("Weights",),
        },
    )

__all__ = [
    "GAMMAS",
    "METHODS",
    "SUBSTRUCTURES",
    "SWVP",
    "Bins",
    "DPItem",
    "DPTrace",
    "Derivation",
    "Edge",
    "Epoch",
    "Example",
    "Features",
    "ForestOracle",
    "ForestSpace",
    "ForestTrace",
    "Item",
    "Learner",
    "Mira",
    "Move",
    "Oracle",
    "Path",
    "Perceptron",
    "Round",
    "SearchSpace",
    "SparseVector",
    "StackSpace",
    "Trace",
    "Tree",
    "Use",
    "Violation",
    "Voted",
    "Weights",
    "beam",
    "check_forest",
    "check_oracle",
    "check_space",
    "choose",
    "compare",
    "decode",
    "dp_beam",
    "early",
    "exact",
    "excess",
    "fall_off",
    "find",
    "forest",
    "greedy",
    "hybrid",
    "is_violation",
    "laso",
    "latest",
    "max_violation",
    "mixed_assignment",
    "parallel",
    "predict",
    "skip",
    "standard",
    "train",
    "train_mixed",
    "train_voted",
    "violation",
    "windows",
]
